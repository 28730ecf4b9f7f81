import { graphql } from '../generated'

export const todoQuery = graphql(`
  query Todo($filter: TaskFilter, $sorts: [TaskSort!], $first: Int, $after: String) {
    tasks(filter: $filter, sorts: $sorts, first: $first, after: $after) {
      eventCursor
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        title
        createdAt
        dueAt
        overdue
        candidateGroup
        allowedOutcomes
        instance {
          title
          starter {
            name
          }
        }
      }
    }
  }
`)

export const doneQuery = graphql(`
  query Done($filter: TaskRecordFilter, $first: Int, $after: String) {
    taskRecords(filter: $filter, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        at
        action
        outcome
        comment
        nodeTitle
        taskId
        instance {
          id
          title
          status
          statusName
        }
      }
    }
  }
`)

export const startedQuery = graphql(`
  query Started($filter: InstanceFilter, $sorts: [InstanceSort!], $first: Int, $after: String) {
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
        createdAt
        outcome
        tasks {
          id
          title
          candidateGroup
          assignee {
            name
          }
        }
      }
    }
  }
`)

export const copiesQuery = graphql(`
  query Copies($unreadOnly: Boolean, $first: Int, $after: String) {
    copies(unreadOnly: $unreadOnly, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        taskTitle
        createdAt
        readAt
        instance {
          id
          title
          statusName
          starter {
            name
          }
        }
      }
    }
  }
`)

export const markRead = graphql(`
  mutation MarkRead($ids: [ID!]) {
    markCopiesRead(input: { ids: $ids }) {
      unread
    }
  }
`)

export const completeMany = graphql(`
  mutation CompleteMany($inputs: [CompleteTaskInput!]!) {
    completeTasks(inputs: $inputs) {
      id
      error {
        message
      }
    }
  }
`)

export const transferMany = graphql(`
  mutation TransferMany($inputs: [TransferTaskInput!]!) {
    transferTasks(inputs: $inputs) {
      id
      error {
        message
      }
    }
  }
`)

export const taskEvents = graphql(`
  subscription TaskEvents($after: String) {
    taskEvents(after: $after) {
      cursor
      type
      task {
        id
        title
      }
    }
  }
`)
