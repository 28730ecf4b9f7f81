-- CreateIndex
CREATE INDEX "Bookmark_tenantId_createdAt_seq_idx" ON "Bookmark"("tenantId", "createdAt", "seq") WHERE (starts_with(key, 'group:'::text));
