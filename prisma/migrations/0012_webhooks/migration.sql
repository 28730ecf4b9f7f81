-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('PENDING', 'DELIVERED', 'DEAD');

-- CreateTable
CREATE TABLE "Webhook" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "topics" TEXT[],
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "secret" TEXT NOT NULL,
    "since" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "webhookId" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "instanceId" UUID,
    "body" TEXT NOT NULL,
    "status" "WebhookDeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "lockedBy" TEXT,
    "firstAttemptAt" TIMESTAMPTZ(3),
    "statusCode" INTEGER,
    "fault" JSON,
    "durationMs" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_nextAt_idx" ON "WebhookDelivery"("nextAt") WHERE (status = 'PENDING');

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantId_webhookId_instanceId_seq_idx" ON "WebhookDelivery"("tenantId", "webhookId", "instanceId", "seq") WHERE (status = 'PENDING');

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantId_webhookId_seq_idx" ON "WebhookDelivery"("tenantId", "webhookId", "seq");

-- CreateIndex
CREATE INDEX "WebhookDelivery_endedAt_idx" ON "WebhookDelivery"("endedAt");
