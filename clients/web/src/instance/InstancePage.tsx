/** Comes with the operators' pages. */
export default function InstancePage() {
  return null
}
