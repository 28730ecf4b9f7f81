#!/usr/bin/env bash
# The tour of the README against a running server: publish a leave process, watch an inbox live, start, approve, read the trail.
# Needs curl and node. COUNTERSIGN_URL names another server than http://127.0.0.1:4000.
set -euo pipefail

url=${COUNTERSIGN_URL:-http://127.0.0.1:4000}/graphql
here=$(cd "$(dirname "$0")" && pwd)

# body QUERY [VARIABLES]: a GraphQL request as JSON
body() { node -e 'console.log(JSON.stringify({ query: process.argv[1], variables: JSON.parse(process.argv[2] ?? "{}") }))' "$@"; }

# ask USER PERMISSIONS QUERY [VARIABLES]: the answer's data; errors end the tour
ask() {
  local user=$1 permissions=$2
  shift 2
  body "$@" | curl -sS "$url" -H 'content-type: application/json' -H "x-user-id: $user" -H "x-permissions: $permissions" \
    --data-binary @- | node -e '
      const { data, errors } = JSON.parse(require("fs").readFileSync(0, "utf8"))
      if (errors) { console.error(errors.map(({ message }) => message).join("\n")); process.exit(1) }
      console.log(JSON.stringify(data))'
}

# pick PATH: one value out of the data, such as it.instance.id
pick() { node -e 'let v = JSON.parse(require("fs").readFileSync(0, "utf8")); for (const k of process.argv[1].split(".")) v = v[k]; console.log(v)' "$1"; }

# show: the data, readable
show() { node -e 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")), null, 2))'; }

echo "1. Carol publishes the leave process under a name of its own"
document=$(node -e '
  const leave = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
  console.log(JSON.stringify({ document: { ...leave, name: "tour.leave" } }))' "$here/leave.json")
definition=$(ask carol design 'mutation ($document: JSON!) {
  it: createDefinition(input: { document: $document }) { definition { id version } } }' "$document" | pick it.definition.id)
ask carol design 'mutation ($id: ID!) {
  it: publishDefinition(input: { id: $id }) { definition { name version status issues { severity message } } } }' \
  "{\"id\":\"$definition\"}" | show

echo "2. Bob watches his inbox (server-sent events, in the background)"
events=$(mktemp)
body 'subscription { taskEvents { type cursor task { id title } } }' | curl -sSN "$url" -H 'content-type: application/json' \
  -H 'accept: text/event-stream' -H 'x-user-id: bob' --data-binary @- >"$events" &
watcher=$!
trap 'kill $watcher 2>/dev/null || true; rm -f "$events"' EXIT
# The stream begins with a comment as soon as it is subscribed.
for _ in $(seq 100); do [ -s "$events" ] && break || sleep 0.05; done

echo "3. Alice asks for five days"
instance=$(ask alice '' 'mutation ($variables: JSON) {
  it: startInstance(input: { name: "tour.leave", variables: $variables }) { instance { id status } } }' \
  '{"variables":{"applicant":"Alice","days":5,"approvers":"bob"}}' | pick it.instance.id)
for _ in $(seq 100); do grep -q 'workflow.task.created' "$events" && break || sleep 0.05; done
echo "   and Bob sees at once:"
grep -m1 'workflow.task.created' "$events"

echo "4. Bob approves; human resources are asked next, and two of three are enough"
task=$(ask bob '' 'query ($instance: ID!) { tasks(filter: { instanceId: $instance }) { nodes { id } } }' \
  "{\"instance\":\"$instance\"}" | pick tasks.nodes.0.id)
ask bob '' 'mutation ($id: ID!) {
  it: approveTask(input: { taskId: $id, comment: "Enjoy" }) { instance { statusName } nextTasks { title } } }' \
  "{\"id\":\"$task\"}" | show
for person in hr-1 hr-2; do
  task=$(ask "$person" '' '{ tasks(filter: { definitionName: "tour.leave" }, sorts: [{ field: CREATED_AT, direction: DESC }], first: 1) {
    nodes { id } } }' | pick tasks.nodes.0.id)
  ask "$person" '' 'mutation ($id: ID!) { it: approveTask(input: { taskId: $id }) { instance { statusName outcome } } }' \
    "{\"id\":\"$task\"}" | show
done

echo "5. Alice reads how it went"
ask alice '' 'query ($id: ID!) { instance(id: $id) {
  title statusName outcome
  trail { nodes { nodeId status } }
  history { nodes { action outcome comment actor { name } nodeTitle } } } }' "{\"id\":\"$instance\"}" | show
