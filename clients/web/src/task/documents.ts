import { graphql } from '../generated'

export const taskQuery = graphql(`
  query OneTask($id: ID!) {
    viewer {
      eventCursor
    }
    task(id: $id) {
      id
      title
      createdAt
      dueAt
      overdue
      allowedOutcomes
      operations
      form
      formData
      formKey
      readOnlyFields
      candidateGroup
      assignee {
        name
      }
      owner {
        name
      }
      claimedBy {
        name
      }
      delegateAnswer {
        comment
        outcome
        by {
          name
        }
      }
      returnTargets {
        id
        title
      }
      node {
        id
        title
      }
      instance {
        id
        title
        status
        statusName
        variables
        createdAt
        starter {
          id
          name
        }
        definition {
          document
        }
        trail(first: 200) {
          nodes {
            nodeId
            status
          }
        }
        history(first: 200) {
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
  }
`)

export const complete = graphql(`
  mutation Complete($input: CompleteTaskInput!) {
    completeTask(input: $input) {
      nextTasks {
        id
      }
    }
  }
`)

export const transfer = graphql(`
  mutation Transfer($input: TransferTaskInput!) {
    transferTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const delegate = graphql(`
  mutation Delegate($input: TransferTaskInput!) {
    delegateTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const addPeople = graphql(`
  mutation AddPeople($input: AssigneesInput!) {
    addAssignees(input: $input) {
      task {
        id
      }
    }
  }
`)

export const removePeople = graphql(`
  mutation RemovePeople($input: AssigneesInput!) {
    removeAssignees(input: $input) {
      task {
        id
      }
    }
  }
`)

export const returnTask = graphql(`
  mutation Return($input: ReturnTaskInput!) {
    returnTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const claim = graphql(`
  mutation Claim($input: TaskCommentInput!) {
    claimTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const release = graphql(`
  mutation Release($input: TaskCommentInput!) {
    releaseTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const urge = graphql(`
  mutation Urge($input: TaskCommentInput!) {
    urgeTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const comment = graphql(`
  mutation Comment($input: TaskCommentInput!) {
    commentTask(input: $input) {
      task {
        id
      }
    }
  }
`)

export const takeBack = graphql(`
  mutation TakeBack($input: TaskCommentInput!) {
    takeBackTask(input: $input) {
      nextTasks {
        id
      }
    }
  }
`)

export const withdraw = graphql(`
  mutation Withdraw($input: InstanceReasonInput!) {
    withdrawInstance(input: $input) {
      instance {
        id
      }
    }
  }
`)
