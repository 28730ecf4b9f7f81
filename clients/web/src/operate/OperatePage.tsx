/** Comes with the operators' pages. */
export default function OperatePage() {
  return null
}
