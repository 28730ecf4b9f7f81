import { graphql } from '../generated'

export const instanceQuery = graphql(`
  query OneInstance($id: ID!) {
    viewer {
      eventCursor
    }
    instance(id: $id) {
      id
      title
      status
      statusName
      outcome
      revision
      createdAt
      endedAt
      correlationId
      definitionName
      definitionVersion
      faultNodeId
      variables
      fault {
        code
        message
      }
      starter {
        name
      }
      definition {
        id
        title
        document
      }
      parent {
        id
        title
        statusName
      }
      children(first: 50) {
        nodes {
          id
          title
          status
          statusName
          createdAt
        }
      }
      tasks {
        id
        title
        candidateGroup
        assignee {
          id
          name
        }
        node {
          id
          title
        }
      }
      bookmarks {
        id
        kind
        key
        dueAt
        nodeId
      }
      trail(first: 200) {
        nodes {
          id
          nodeId
          activityType
          status
          attempt
          startedAt
          endedAt
          input
          output
          node {
            title
          }
          fault {
            code
            message
          }
          routing {
            transitionId
            condition
            value
            taken
          }
        }
      }
      history(first: 100) {
        nodes {
          id
          action
          at
          comment
          outcome
          nodeTitle
          taskId
          actor {
            id
            name
          }
          target {
            name
          }
        }
      }
    }
  }
`)

export const instanceEvents = graphql(`
  subscription InstanceEvents($instanceId: ID, $after: String) {
    instanceEvents(instanceId: $instanceId, after: $after) {
      cursor
      type
    }
  }
`)

export const retry = graphql(`
  mutation Retry($id: ID!) {
    retryInstance(input: { id: $id }) {
      instance {
        id
      }
    }
  }
`)

export const resume = graphql(`
  mutation Resume($id: ID!) {
    resumeInstance(input: { id: $id }) {
      instance {
        id
      }
    }
  }
`)

export const suspend = graphql(`
  mutation Suspend($id: ID!, $reason: String) {
    suspendInstance(input: { id: $id, reason: $reason }) {
      instance {
        id
      }
    }
  }
`)

export const cancel = graphql(`
  mutation CancelInstance($id: ID!, $reason: String) {
    cancelInstance(input: { id: $id, reason: $reason }) {
      instance {
        id
      }
    }
  }
`)

export const terminate = graphql(`
  mutation Terminate($id: ID!, $reason: String) {
    terminateInstance(input: { id: $id, reason: $reason }) {
      instance {
        id
      }
    }
  }
`)

export const jump = graphql(`
  mutation Jump($id: ID!, $targetNodeId: ID!, $reason: String) {
    jumpInstance(input: { id: $id, targetNodeId: $targetNodeId, reason: $reason }) {
      instance {
        id
      }
    }
  }
`)

export const migrate = graphql(`
  mutation Migrate($input: MigrateInstanceInput!) {
    migrateInstance(input: $input) {
      instance {
        id
      }
    }
  }
`)

export const setVariables = graphql(`
  mutation SetVariables($input: SetVariablesInput!) {
    setInstanceVariables(input: $input) {
      instance {
        id
      }
    }
  }
`)

export const reassign = graphql(`
  mutation Reassign($input: TransferTaskInput!) {
    transferTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const versionsQuery = graphql(`
  query Versions($name: String!) {
    definitions(
      filter: { name: $name, status: PUBLISHED }
      sorts: [{ field: VERSION, direction: DESC }]
      first: 100
    ) {
      nodes {
        id
        version
        document
      }
    }
  }
`)
