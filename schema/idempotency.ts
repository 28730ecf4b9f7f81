/** What makes a repeated call known: its key, the operation, and its input without the key; null without a key. */
export function idempotencyOf<Input extends { idempotencyKey?: string | null | undefined }>(
  operation: string,
  input: Input,
): { key: string; operation: string; input: unknown } | null {
  const { idempotencyKey, ...asked } = input
  return idempotencyKey ? { key: idempotencyKey, operation, input: asked } : null
}
