-- AlterTable
ALTER TABLE "IdempotencyKey" ADD COLUMN     "result" JSON;

-- CreateTable
CREATE TABLE "HeldSignal" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "correlationId" TEXT,
    "payload" JSON,
    "senderId" TEXT NOT NULL,
    "takenBy" UUID[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "HeldSignal_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateIndex
CREATE INDEX "HeldSignal_expiresAt_idx" ON "HeldSignal"("expiresAt");
