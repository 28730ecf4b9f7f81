-- AlterTable
ALTER TABLE "Bookmark" ADD COLUMN     "traceparent" TEXT;

-- AlterTable
ALTER TABLE "Event" ADD COLUMN     "writerTxid" BIGINT;
