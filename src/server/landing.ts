import type { Config } from './resolveConfig.js'

/**
 * The page at `/` where there is no approval centre: what runs here and where to go. Without scripts and without
 * anything from elsewhere.
 */
export function renderLandingPage(config: Config, host: string): string {
  const demo = config.demo && config.authMode === 'dev' ? demoSection(host) : ''
  const graphiql = config.graphiql
    ? '<p><a class="button" href="/graphql">Open GraphiQL</a> Its tabs walk through the API, one thing each.</p>'
    : '<p>The API is at <code>/graphql</code>.</p>'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Countersign</h1>
<p>A durable workflow and approval engine behind a GraphQL API. Processes are drawn, published, started,
approved, returned and watched; they survive restarts and wait for days.</p>
${config.webClient ? '<p><strong>The approval centre is not built yet:</strong> run <code>npm run generate</code> and start again.</p>' : ''}
${graphiql}
${demo}
<h2>Where things are</h2>
<table>
<tr><td><code>/graphql</code></td><td>GraphQL over HTTP, WebSocket (graphql-transport-ws) and server-sent events</td></tr>
<tr><td><a href="/healthz"><code>/healthz</code></a></td><td>whether the process is alive</td></tr>
<tr><td><a href="/readyz"><code>/readyz</code></a></td><td>whether it can take requests</td></tr>
</table>
</main>
</body>
</html>
`
}

const style = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif }
body { margin: 0 }
main { max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem }
h1 { font-size: 2rem; margin-bottom: .25rem }
h2 { font-size: 1.15rem; margin-top: 2rem }
.button { display: inline-block; padding: .45rem 1rem; border-radius: .4rem; background: #2456c9; color: #fff; text-decoration: none; margin-right: .6rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); vertical-align: top }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .8rem 1rem; border-radius: .4rem; background: color-mix(in srgb, currentColor 8%, transparent) }
code { font: .9em ui-monospace, monospace }
td:first-child { white-space: nowrap }
`

const people = [
  ['alice', 'Alice Chen', 'asked for leave and for her expenses'],
  ['bob', 'Bob Martin', 'her manager: approves her leave'],
  ['carol', 'Carol Weber', 'Bob’s manager: approves his'],
  ['hr-1, hr-2, hr-3', 'Hana Sato, Henri Petit, Helena Souza', 'vote on leave of more than three days'],
  ['finance-1', 'Feng Li', 'approves expenses'],
]

const tour = [
  ['What waits for Bob', 'bob', '{ tasks { nodes { id title } } }'],
  [
    'Alice asks for a day off',
    'alice',
    'mutation { startInstance(input: { name: "hr.leave", variables: { applicant: "Alice", days: 1, approvers: "bob" } }) { instance { id status } } }',
  ],
  ['How her requests stand', 'alice', '{ instances { nodes { title status tasks { title assignee { name } } } } }'],
]

function demoSection(host: string): string {
  return `<h2>The people of the demo</h2>
<p>In dev mode you say who you are in the header <code>x-user-id</code>.</p>
<table>
${people.map(([id, name, part]) => `<tr><td><code>${id}</code></td><td>${name}</td><td>${part}</td></tr>`).join('\n')}
</table>
<h2>A tour in three commands</h2>
${tour.map(([title = '', user = '', query = '']) => `<p>${title}:</p>\n<pre><code>${command(host, user, query)}</code></pre>`).join('\n')}`
}

function command(host: string, user: string, query: string): string {
  const body = JSON.stringify({ query })
  return escapeHtml(
    `curl -s http://${host}/graphql -H 'content-type: application/json' -H 'x-user-id: ${user}' \\\n  -d '${body}'`,
  )
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
