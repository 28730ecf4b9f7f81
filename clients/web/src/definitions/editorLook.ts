import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '13px',
    color: 'var(--mantine-color-text)',
    backgroundColor: 'light-dark(#fff, var(--mantine-color-dark-7))',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
  '.cm-gutters': {
    color: 'var(--app-muted)',
    backgroundColor: 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))',
    borderRight: '1px solid light-dark(var(--mantine-color-gray-3), var(--mantine-color-dark-4))',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#f1f3f9, #2b2d36)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#c9d4ff, #3a4677)',
  },
  '& .cm-collapsedLines, &.cm-editor .cm-collapsedLines': {
    color: 'var(--mantine-color-text)',
    background: 'light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-5))',
  },
  '.cm-tooltip': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'light-dark(#fff, var(--mantine-color-dark-6))',
    border: '1px solid var(--mantine-color-default-border)',
  },
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#1f3fae, #a5b8ff)' },
  { tag: tags.string, color: 'light-dark(#0b6b4f, #7fdcb8)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#9a3412, #ffb98a)' },
])

/** How JSON looks, in the light and in the dark. */
export const editorLook = [look, syntaxHighlighting(colours)]
