// Fails when applying the migrations does not lead to prisma/schema.prisma.
import { diffMigrationsToSchema } from './schemaDiff.js'

const sql = await diffMigrationsToSchema()
if (sql !== null) {
  console.error(
    `The migrations do not lead to prisma/schema.prisma (npm run migrate:create -- <name>). Missing:\n${sql}`,
  )
  process.exit(1)
}
console.log('The migrations lead to prisma/schema.prisma.')
