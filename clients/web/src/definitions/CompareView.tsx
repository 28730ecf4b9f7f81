import { json } from '@codemirror/lang-json'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { Box } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { editorLook } from './editorLook'

interface CompareViewProps {
  before: { label: string; text: string }
  after: { label: string; text: string }
}

/** Two versions side by side, what differs marked; what is the same is folded away. */
export default function CompareView({ before, after }: CompareViewProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current) return
    const side = ({ label, text }: CompareViewProps['before']) => ({
      doc: text,
      extensions: [
        lineNumbers(),
        json(),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        editorLook,
      ],
    })
    const merge = new MergeView({
      parent: box.current,
      a: side(before),
      b: side(after),
      collapseUnchanged: { margin: 3, minSize: 6 },
    })
    return () => merge.destroy()
  }, [before, after])
  return <Box ref={box} style={{ maxHeight: '70dvh', overflow: 'auto' }} />
}
