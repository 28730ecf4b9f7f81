import { graphql } from '../generated'

export const processesQuery = graphql(`
  query Processes($keyword: String) {
    definitions(filter: { status: PUBLISHED, keyword: $keyword }, first: 200) {
      nodes {
        id
        name
        title
        description
        category
      }
    }
  }
`)

export const processQuery = graphql(`
  query Process($name: String!) {
    publishedDefinition(name: $name) {
      name
      title
      description
      variables {
        name
        description
        required
        defaultValue
      }
      nodes {
        id
        activityType
        properties
      }
    }
  }
`)

export const previewQuery = graphql(`
  query PreviewStart($input: PreviewInstanceInput!) {
    previewInstance(input: $input) {
      fault {
        message
      }
      steps {
        nodeId
        title
        taskTitle
        assumed
        groups
        people {
          id
          name
        }
      }
    }
  }
`)

export const startMutation = graphql(`
  mutation StartRequest($input: StartInstanceInput!) {
    startInstance(input: $input) {
      instance {
        id
        title
      }
    }
  }
`)
