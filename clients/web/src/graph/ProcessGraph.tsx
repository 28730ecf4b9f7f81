interface ProcessGraphProps {
  document: unknown
  trail: readonly { nodeId: string; status: string }[]
}

/** The picture of a process; comes with the operators' pages. */
export default function ProcessGraph(_: ProcessGraphProps) {
  return null
}
