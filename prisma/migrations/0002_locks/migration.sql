-- AlterTable
ALTER TABLE "Bookmark" ADD COLUMN     "lockedBy" TEXT,
ADD COLUMN     "lockedUntil" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Bookmark_lockedUntil_idx" ON "Bookmark"("lockedUntil") WHERE (kind = 'JOB');
