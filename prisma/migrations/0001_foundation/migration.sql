-- CreateEnum
CREATE TYPE "DefinitionStatus" AS ENUM ('DRAFT', 'PUBLISHED', 'DISABLED', 'ARCHIVED');

-- CreateEnum
CREATE TYPE "InstanceStatus" AS ENUM ('RUNNING', 'SUSPENDED', 'COMPLETED', 'CANCELED', 'FAULTED', 'TERMINATED');

-- CreateEnum
CREATE TYPE "NodeStatus" AS ENUM ('RUNNING', 'WAITING', 'COMPLETED', 'FAULTED', 'CANCELED', 'COMPENSATED');

-- CreateEnum
CREATE TYPE "BookmarkKind" AS ENUM ('USER_TASK', 'TIMER', 'SIGNAL', 'SUB_WORKFLOW', 'RETRY', 'NODE_TIMEOUT', 'EXTERNAL', 'REMINDER', 'INSTANCE_TIMEOUT', 'DEFINITION_TIMER', 'JOB');

-- CreateEnum
CREATE TYPE "TaskAction" AS ENUM ('COMPLETED', 'TRANSFERRED', 'DELEGATED', 'ASSIGNEE_ADDED', 'ASSIGNEE_REMOVED', 'CLAIMED', 'RELEASED', 'RETURNED', 'WITHDRAWN', 'TAKEN_BACK', 'HANDED_OVER', 'URGED', 'TIMED_OUT', 'CANCELED', 'SKIPPED');

-- CreateTable
CREATE TABLE "Definition" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "status" "DefinitionStatus" NOT NULL,
    "title" TEXT NOT NULL,
    "titleKey" TEXT NOT NULL,
    "displayName" TEXT,
    "description" TEXT,
    "category" TEXT,
    "searchText" TEXT NOT NULL,
    "document" JSON NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "publishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Definition_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "Instance" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "definitionId" UUID NOT NULL,
    "definitionName" TEXT NOT NULL,
    "definitionVersion" INTEGER NOT NULL,
    "status" "InstanceStatus" NOT NULL,
    "title" TEXT NOT NULL,
    "titleKey" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "correlationId" TEXT,
    "starterId" TEXT,
    "parentId" UUID,
    "parentNodeInstanceId" UUID,
    "depth" INTEGER NOT NULL DEFAULT 0,
    "outcome" TEXT,
    "variables" JSON NOT NULL,
    "state" JSON NOT NULL,
    "fault" JSON,
    "faultNodeId" TEXT,
    "faultNodeInstanceId" UUID,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "eventSeq" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Instance_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "NodeInstance" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "instanceId" UUID NOT NULL,
    "nodeId" TEXT NOT NULL,
    "activityType" TEXT NOT NULL,
    "status" "NodeStatus" NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "cameFrom" UUID[],
    "input" JSON,
    "output" JSON,
    "state" JSON,
    "fault" JSON,
    "routing" JSON,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "NodeInstance_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "Bookmark" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "instanceId" UUID,
    "nodeId" TEXT,
    "nodeInstanceId" UUID,
    "kind" "BookmarkKind" NOT NULL,
    "key" TEXT,
    "correlationId" TEXT,
    "dueAt" TIMESTAMPTZ(3),
    "payload" JSON NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "title" TEXT,
    "titleKey" TEXT,
    "searchTitle" TEXT,
    "priority" INTEGER,
    "taskDueAt" TIMESTAMPTZ(3),
    "claimedById" TEXT,
    "instanceStatus" "InstanceStatus",
    "definitionName" TEXT,
    "searchInstanceText" TEXT,

    CONSTRAINT "Bookmark_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "TaskRecord" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "instanceId" UUID NOT NULL,
    "definitionName" TEXT NOT NULL,
    "taskId" UUID,
    "nodeInstanceId" UUID NOT NULL,
    "nodeId" TEXT NOT NULL,
    "nodeTitle" TEXT NOT NULL,
    "activityType" TEXT NOT NULL,
    "action" "TaskAction" NOT NULL,
    "outcome" TEXT,
    "comment" TEXT,
    "actorId" TEXT,
    "onBehalfOfId" TEXT,
    "assigneeId" TEXT,
    "targetId" TEXT,
    "targetNodeIds" TEXT[],
    "formKey" TEXT,
    "variables" JSON,
    "searchText" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "durationMs" BIGINT,

    CONSTRAINT "TaskRecord_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "Copy" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "instanceId" UUID NOT NULL,
    "nodeId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "taskTitle" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "readAt" TIMESTAMPTZ(3),

    CONSTRAINT "Copy_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "Event" (
    "tenantId" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "txid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "seq" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "instanceId" UUID,
    "instanceSeq" INTEGER,
    "definitionName" TEXT,
    "nodeId" TEXT,
    "taskId" UUID,
    "actorId" TEXT,
    "correlationId" TEXT,
    "recipients" TEXT[],
    "data" JSON NOT NULL,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "tenantId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "inputHash" TEXT NOT NULL,
    "instanceId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("tenantId","userId","key")
);

-- CreateTable
CREATE TABLE "User" (
    "tenantId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "managerId" TEXT,
    "groups" TEXT[],

    CONSTRAINT "User_pkey" PRIMARY KEY ("tenantId","id")
);

-- CreateIndex
CREATE INDEX "Definition_tenantId_createdAt_idx" ON "Definition"("tenantId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Definition_tenantId_name_version_key" ON "Definition"("tenantId", "name", "version");

-- CreateIndex
CREATE INDEX "Instance_tenantId_createdAt_seq_idx" ON "Instance"("tenantId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Instance_tenantId_starterId_createdAt_idx" ON "Instance"("tenantId", "starterId", "createdAt");

-- CreateIndex
CREATE INDEX "Instance_tenantId_endedAt_idx" ON "Instance"("tenantId", "endedAt");

-- CreateIndex
CREATE INDEX "Instance_tenantId_correlationId_idx" ON "Instance"("tenantId", "correlationId");

-- CreateIndex
CREATE INDEX "Instance_tenantId_parentId_idx" ON "Instance"("tenantId", "parentId");

-- CreateIndex
CREATE INDEX "Instance_tenantId_definitionId_idx" ON "Instance"("tenantId", "definitionId");

-- CreateIndex
CREATE INDEX "NodeInstance_tenantId_instanceId_seq_idx" ON "NodeInstance"("tenantId", "instanceId", "seq");

-- CreateIndex
CREATE INDEX "NodeInstance_tenantId_instanceId_status_idx" ON "NodeInstance"("tenantId", "instanceId", "status");

-- CreateIndex
CREATE INDEX "Bookmark_tenantId_instanceId_idx" ON "Bookmark"("tenantId", "instanceId");

-- CreateIndex
CREATE INDEX "Bookmark_tenantId_nodeInstanceId_idx" ON "Bookmark"("tenantId", "nodeInstanceId");

-- CreateIndex
CREATE INDEX "Bookmark_tenantId_kind_key_instanceStatus_createdAt_seq_idx" ON "Bookmark"("tenantId", "kind", "key", "instanceStatus", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Bookmark_dueAt_idx" ON "Bookmark"("dueAt");

-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_instanceId_seq_idx" ON "TaskRecord"("tenantId", "instanceId", "seq");

-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_actorId_at_seq_idx" ON "TaskRecord"("tenantId", "actorId", "at", "seq");

-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_taskId_idx" ON "TaskRecord"("tenantId", "taskId");

-- CreateIndex
CREATE INDEX "Copy_tenantId_userId_readAt_createdAt_idx" ON "Copy"("tenantId", "userId", "readAt", "createdAt");

-- CreateIndex
CREATE INDEX "Copy_tenantId_instanceId_idx" ON "Copy"("tenantId", "instanceId");

-- CreateIndex
CREATE INDEX "Event_txid_seq_idx" ON "Event"("txid", "seq");

-- CreateIndex
CREATE INDEX "Event_tenantId_instanceId_instanceSeq_idx" ON "Event"("tenantId", "instanceId", "instanceSeq");

-- CreateIndex
CREATE INDEX "Event_at_idx" ON "Event"("at");

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");

-- AddForeignKey
ALTER TABLE "Instance" ADD CONSTRAINT "Instance_tenantId_definitionId_fkey" FOREIGN KEY ("tenantId", "definitionId") REFERENCES "Definition"("tenantId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Instance" ADD CONSTRAINT "Instance_tenantId_parentId_fkey" FOREIGN KEY ("tenantId", "parentId") REFERENCES "Instance"("tenantId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "NodeInstance" ADD CONSTRAINT "NodeInstance_tenantId_instanceId_fkey" FOREIGN KEY ("tenantId", "instanceId") REFERENCES "Instance"("tenantId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Bookmark" ADD CONSTRAINT "Bookmark_tenantId_instanceId_fkey" FOREIGN KEY ("tenantId", "instanceId") REFERENCES "Instance"("tenantId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Bookmark" ADD CONSTRAINT "Bookmark_tenantId_nodeInstanceId_fkey" FOREIGN KEY ("tenantId", "nodeInstanceId") REFERENCES "NodeInstance"("tenantId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "TaskRecord" ADD CONSTRAINT "TaskRecord_tenantId_instanceId_fkey" FOREIGN KEY ("tenantId", "instanceId") REFERENCES "Instance"("tenantId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Copy" ADD CONSTRAINT "Copy_tenantId_instanceId_fkey" FOREIGN KEY ("tenantId", "instanceId") REFERENCES "Instance"("tenantId", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
