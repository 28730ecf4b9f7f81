/** Comes with the operators' pages. */
export default function ProcessGraph() {
  return null
}
