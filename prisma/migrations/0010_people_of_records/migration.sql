-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_onBehalfOfId_idx" ON "TaskRecord"("tenantId", "onBehalfOfId") WHERE ("onBehalfOfId" IS NOT NULL);

-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_assigneeId_idx" ON "TaskRecord"("tenantId", "assigneeId") WHERE ("assigneeId" IS DISTINCT FROM "actorId");

-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_targetId_idx" ON "TaskRecord"("tenantId", "targetId") WHERE ("targetId" IS NOT NULL);
