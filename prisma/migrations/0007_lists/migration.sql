-- DropIndex
DROP INDEX "Instance_tenantId_endedAt_idx";

-- CreateIndex
CREATE INDEX "Bookmark_tenantId_key_taskDueAt_createdAt_seq_idx" ON "Bookmark"("tenantId", "key", "taskDueAt", "createdAt", "seq") WHERE (kind = 'USER_TASK');

-- CreateIndex
CREATE INDEX "Bookmark_tenantId_key_priority_createdAt_seq_idx" ON "Bookmark"("tenantId", "key", "priority" DESC, "createdAt", "seq") WHERE (kind = 'USER_TASK');

-- CreateIndex
CREATE INDEX "Bookmark_tenantId_key_titleKey_createdAt_seq_idx" ON "Bookmark"("tenantId", "key", "titleKey", "createdAt", "seq") WHERE (kind = 'USER_TASK');

-- CreateIndex
CREATE INDEX "Instance_tenantId_status_createdAt_seq_idx" ON "Instance"("tenantId", "status", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Instance_status_newest_idx" ON "Instance"("tenantId", "status", "createdAt" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "Instance_tenantId_definitionName_createdAt_seq_idx" ON "Instance"("tenantId", "definitionName", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Instance_definitionName_newest_idx" ON "Instance"("tenantId", "definitionName", "createdAt" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "Instance_tenantId_titleKey_createdAt_seq_idx" ON "Instance"("tenantId", "titleKey", "createdAt" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "Instance_tenantId_endedAt_createdAt_seq_idx" ON "Instance"("tenantId", "endedAt", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "TaskRecord_tenantId_at_seq_idx" ON "TaskRecord"("tenantId", "at", "seq");

-- What a keyword is found by: every character of a text and every two neighbours; threes alone would not serve two
-- Chinese characters. U+001F, which no keyword holds, parts them.
-- PL/pgSQL keeps its plan for the session; a function in SQL would be planned again by each statement that writes.
CREATE FUNCTION search_pairs(source text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10 AS $$
BEGIN
  RETURN array_remove(string_to_array(source, NULL)
    || string_to_array(regexp_replace(source, '(..)', E'\\1\x1f', 'g'), E'\x1f')
    || string_to_array(regexp_replace(substr(source, 2), '(..)', E'\\1\x1f', 'g'), E'\x1f'), '');
END
$$;

-- The same and every three neighbours, which alone narrow a long Latin keyword well.
CREATE FUNCTION search_triples(source text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10 AS $$
BEGIN
  RETURN array_remove(string_to_array(source, NULL)
    || string_to_array(regexp_replace(source, '(..)', E'\\1\x1f', 'g'), E'\x1f')
    || string_to_array(regexp_replace(substr(source, 2), '(..)', E'\\1\x1f', 'g'), E'\x1f')
    || string_to_array(regexp_replace(source, '(...)', E'\\1\x1f', 'g'), E'\x1f')
    || string_to_array(regexp_replace(substr(source, 2), '(...)', E'\\1\x1f', 'g'), E'\x1f')
    || string_to_array(regexp_replace(substr(source, 3), '(...)', E'\\1\x1f', 'g'), E'\x1f'), '');
END
$$;

-- Over columns that never change, so that no update of a row writes to them. Collation "C": compared byte by byte.
CREATE INDEX "Instance_searchText_idx" ON "Instance" USING gin (search_triples("searchText" COLLATE "C"));
CREATE INDEX "Definition_searchText_idx" ON "Definition" USING gin (search_triples("searchText" COLLATE "C"));
-- Every approval writes a record: pairs cost it half of what triples would, and the short list of what is new to the
-- index is merged in small portions, so that no approval waits for a large one.
CREATE INDEX "TaskRecord_searchText_idx" ON "TaskRecord" USING gin (search_pairs("searchText" COLLATE "C"))
  WITH (gin_pending_list_limit = 512);

-- Room on each page for the next version of a row: an update that changes no indexed column then stays on its page.
ALTER TABLE "Instance" SET (fillfactor = 85);
ALTER TABLE "NodeInstance" SET (fillfactor = 85);
