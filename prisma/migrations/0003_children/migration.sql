-- CreateEnum
CREATE TYPE "ChildNoticeKind" AS ENUM ('CHILD_ENDED', 'END_CHILDREN');

-- AlterTable
ALTER TABLE "NodeInstance" ADD COLUMN     "endedSeq" INTEGER;

-- CreateTable
CREATE TABLE "ChildNotice" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "kind" "ChildNoticeKind" NOT NULL,
    "parentId" UUID NOT NULL,
    "nodeInstanceId" UUID,
    "childId" UUID,
    "terminate" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChildNotice_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateIndex
CREATE INDEX "ChildNotice_tenantId_parentId_idx" ON "ChildNotice"("tenantId", "parentId");

-- CreateIndex
CREATE INDEX "ChildNotice_dueAt_idx" ON "ChildNotice"("dueAt");
