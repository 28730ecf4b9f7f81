import { graphql } from '../generated'

export const instancesQuery = graphql(`
  query Instances($filter: InstanceFilter, $sorts: [InstanceSort!], $first: Int, $after: String) {
    instances(filter: $filter, sorts: $sorts, first: $first, after: $after) {
      eventCursor
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        title
        status
        statusName
        definitionName
        definitionVersion
        correlationId
        createdAt
        fault {
          message
        }
        starter {
          name
        }
      }
    }
  }
`)

export const namesQuery = graphql(`
  query DefinitionNames {
    definitions(filter: { status: PUBLISHED }, first: 500) {
      nodes {
        name
        title
        version
      }
    }
  }
`)

export const retryMany = graphql(`
  mutation RetryMany($ids: [ID!]!) {
    results: retryInstances(ids: $ids) {
      id
      error {
        message
      }
    }
  }
`)

export const resumeMany = graphql(`
  mutation ResumeMany($ids: [ID!]!) {
    results: resumeInstances(ids: $ids) {
      id
      error {
        message
      }
    }
  }
`)

export const suspendMany = graphql(`
  mutation SuspendMany($ids: [ID!]!, $reason: String) {
    results: suspendInstances(ids: $ids, reason: $reason) {
      id
      error {
        message
      }
    }
  }
`)

export const cancelMany = graphql(`
  mutation CancelMany($ids: [ID!]!, $reason: String) {
    results: cancelInstances(ids: $ids, reason: $reason) {
      id
      error {
        message
      }
    }
  }
`)

export const migrateMany = graphql(`
  mutation MigrateMany($ids: [ID!]!, $targetVersion: Int!) {
    results: migrateInstances(ids: $ids, targetVersion: $targetVersion) {
      id
      error {
        message
      }
    }
  }
`)

export const handOver = graphql(`
  mutation HandOver($fromUserId: ID!, $toUserId: ID!, $comment: String) {
    handOverTasks(fromUserId: $fromUserId, toUserId: $toUserId, comment: $comment) {
      id
      error {
        message
      }
    }
  }
`)
