-- CreateTable
CREATE TABLE "RelayPosition" (
    "name" TEXT NOT NULL,
    "txid" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "lockedBy" TEXT,
    "lockedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "RelayPosition_pkey" PRIMARY KEY ("name")
);
