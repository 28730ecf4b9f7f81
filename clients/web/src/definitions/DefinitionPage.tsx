/** Comes with the operators' pages. */
export default function DefinitionPage() {
  return null
}
