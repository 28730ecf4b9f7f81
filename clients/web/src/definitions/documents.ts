import { graphql } from '../generated'

export const definitionsQuery = graphql(`
  query Definitions($filter: DefinitionFilter, $first: Int, $after: String) {
    definitions(filter: $filter, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        title
        category
        description
        version
        status
        createdAt
        publishedAt
      }
    }
  }
`)

export const versionListQuery = graphql(`
  query VersionList($name: String!) {
    definitions(filter: { name: $name }, sorts: [{ field: VERSION, direction: DESC }], first: 100) {
      nodes {
        id
        title
        version
        status
        createdAt
        publishedAt
      }
    }
  }
`)

export const versionQuery = graphql(`
  query OneVersion($id: ID!) {
    definition(id: $id) {
      id
      version
      status
      document
    }
  }
`)

export const validate = graphql(`
  query Validate($document: JSON!) {
    validateDefinition(document: $document) {
      path
      message
      severity
    }
  }
`)

export const create = graphql(`
  mutation CreateDefinition($document: JSON!) {
    createDefinition(input: { document: $document }) {
      definition {
        id
        name
      }
    }
  }
`)

export const save = graphql(`
  mutation SaveDefinition($id: ID!, $document: JSON!) {
    updateDefinition(input: { id: $id, document: $document }) {
      definition {
        id
      }
    }
  }
`)

export const publish = graphql(`
  mutation PublishDefinition($id: ID!) {
    publishDefinition(input: { id: $id }) {
      definition {
        id
      }
    }
  }
`)

export const disable = graphql(`
  mutation DisableDefinition($id: ID!) {
    disableDefinition(input: { id: $id }) {
      definition {
        id
      }
    }
  }
`)

export const archive = graphql(`
  mutation ArchiveDefinition($id: ID!) {
    archiveDefinition(input: { id: $id }) {
      definition {
        id
      }
    }
  }
`)

export const remove = graphql(`
  mutation DeleteDefinition($id: ID!) {
    deleteDefinition(input: { id: $id }) {
      deletedId
    }
  }
`)

export const newVersion = graphql(`
  mutation NewVersion($name: String!) {
    newDefinitionVersion(input: { name: $name }) {
      definition {
        id
      }
    }
  }
`)
