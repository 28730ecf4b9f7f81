import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, indentOnInput } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { Box } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { editorLook } from './editorLook'
import { locate } from './locate'

export interface Problem {
  path: string
  message: string
  severity: 'ERROR' | 'WARNING'
}

interface JsonEditorProps {
  label: string
  /** The text to begin with; another one replaces what was written. */
  value: string
  onChange?: (text: string) => void
  problems?: readonly Problem[]
  readOnly?: boolean
  height?: string
  /** Puts the cursor at this path whenever the object is another one. */
  goTo?: { path: string } | null
}

const none: readonly Problem[] = []

/** Edits JSON; problems are shown at their places. Tab leaves the editor. */
export default function JsonEditor(props: JsonEditorProps) {
  const { label, value, onChange, problems = none, readOnly = false, height = '100%', goTo = null } = props
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const change = useRef(onChange)
  change.current = onChange
  const first = useRef(value)
  useEffect(() => {
    if (!box.current) return
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({ doc: first.current, extensions: extensionsOf(label, readOnly, change) }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, readOnly])
  useEffect(() => {
    const editor = view.current
    first.current = value
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    if (view.current) view.current.dispatch(setDiagnostics(view.current.state, diagnosticsOf(view.current, problems)))
  }, [problems])
  useEffect(() => {
    const editor = view.current
    if (!editor || !goTo) return
    const { from, to } = locate(editor.state.doc.toString(), goTo.path)
    const effects = EditorView.scrollIntoView(from, { y: 'center' })
    editor.dispatch({ selection: { anchor: from, head: to }, effects })
    editor.focus()
  }, [goTo])
  return <Box ref={box} h={height} className="json-editor" style={{ overflow: 'hidden' }} />
}

function extensionsOf(label: string, readOnly: boolean, change: { current: ((text: string) => void) | undefined }) {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    lintGutter(),
    json(),
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.lineWrapping,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) change.current?.(update.state.doc.toString())
    }),
    editorLook,
  ]
}

/** What keeps the text from being JSON at all comes before what the server says. */
function diagnosticsOf(view: EditorView, problems: readonly Problem[]): Diagnostic[] {
  const text = view.state.doc.toString()
  const broken = text.trim() === '' ? [] : jsonParseLinter()(view)
  if (broken.length > 0) return broken
  const found = problems.map(({ path, message, severity }) => ({
    ...locate(text, path),
    message,
    severity: severity === 'ERROR' ? ('error' as const) : ('warning' as const),
  }))
  return found.sort((one, other) => one.from - other.from)
}
