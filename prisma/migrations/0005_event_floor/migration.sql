-- CreateTable
CREATE TABLE "EventFloor" (
    "id" INTEGER NOT NULL,
    "txid" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "EventFloor_pkey" PRIMARY KEY ("id")
);
