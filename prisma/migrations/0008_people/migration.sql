-- AlterEnum
ALTER TYPE "TaskAction" ADD VALUE 'COMMENTED';

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "searchText" TEXT NOT NULL DEFAULT '';

-- People who are in the directory already shall be found too.
UPDATE "User" SET "searchText" = lower(concat_ws(E'\x1f', name, id, email));

-- CreateTable
CREATE TABLE "Substitute" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "userId" TEXT NOT NULL,
    "substituteId" TEXT NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Substitute_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateIndex
CREATE INDEX "Substitute_tenantId_userId_endsAt_idx" ON "Substitute"("tenantId", "userId", "endsAt");

-- CreateIndex
CREATE INDEX "Substitute_tenantId_endsAt_idx" ON "Substitute"("tenantId", "endsAt");

-- CreateIndex
CREATE INDEX "User_tenantId_name_seq_idx" ON "User"("tenantId", "name", "seq");

-- CreateIndex
CREATE INDEX "User_tenantId_managerId_idx" ON "User"("tenantId", "managerId");

-- CreateIndex
CREATE INDEX "User_groups_idx" ON "User" USING GIN ("groups");
