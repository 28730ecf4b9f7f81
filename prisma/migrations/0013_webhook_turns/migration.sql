-- DropIndex
DROP INDEX "WebhookDelivery_nextAt_idx";

-- AlterTable
ALTER TABLE "Webhook" ADD COLUMN     "previousSecret" TEXT,
ADD COLUMN     "previousSecretUntil" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "WebhookDelivery" ALTER COLUMN "nextAt" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "WebhookDelivery_tenantId_webhookId_nextAt_seq_idx" ON "WebhookDelivery"("tenantId", "webhookId", "nextAt", "seq") WHERE (status = 'PENDING');

-- Of an instance only the first that waits has a time.
UPDATE "WebhookDelivery" d SET "nextAt" = NULL WHERE d.status = 'PENDING' AND EXISTS (SELECT FROM "WebhookDelivery" e
  WHERE e."tenantId" = d."tenantId" AND e."webhookId" = d."webhookId" AND e."instanceId" = d."instanceId"
    AND e.status = 'PENDING' AND e.seq < d.seq);
