/** Comes with the operators' pages. */
export default function DefinitionsPage() {
  return null
}
