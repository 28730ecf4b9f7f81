import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../generated'

const peopleQuery = graphql(`
  query People($keyword: String) {
    users(keyword: $keyword, first: 30) {
      nodes {
        id
        name
      }
    }
  }
`)

function usePeople() {
  const [text, setText] = useState('')
  const [keyword] = useDebouncedValue(text, 200)
  const [{ data }] = useQuery({ query: peopleQuery, variables: keyword ? { keyword } : {} })
  const options = (data?.users.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return { options, setText }
}

interface PersonSelectProps {
  label: string
  value: string | null
  onChange: (id: string | null) => void
}

/** Picks a person from the directory. */
export function PersonSelect({ label, value, onChange }: PersonSelectProps) {
  const { options, setText } = usePeople()
  return (
    <Select
      searchable
      required
      label={label}
      data={options}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
    />
  )
}

interface PeopleSelectProps {
  label: string
  value: string[]
  onChange: (ids: string[]) => void
}

/** Picks several people from the directory. */
export function PeopleSelect({ label, value, onChange }: PeopleSelectProps) {
  const { options, setText } = usePeople()
  return (
    <MultiSelect
      searchable
      required
      label={label}
      data={options}
      value={value}
      onChange={onChange}
      onSearchChange={setText}
    />
  )
}
