import type { QueryRunner } from 'typeorm';
import { messageOf } from '../../../common/error-message.js';
import { ConfigurationError } from '../../config/app-config.js';

interface Privileges {
  readonly role: string;
  readonly database: string;
  readonly schema: string | null;
  readonly mayCreateTables: boolean;
  readonly mayCreateSchemas: boolean;
  readonly hasSandbox: boolean;
  readonly isReadOnly: boolean;
  /** Owners of our tables that the role is not a member of. */
  readonly owners: string[] | null;
}

const PRIVILEGES = `
  SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database, quote_ident(current_schema()) AS schema,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables",
    has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchemas",
    to_regnamespace('sandbox') IS NOT NULL AS "hasSandbox",
    pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS "isReadOnly",
    (SELECT array_agg(DISTINCT quote_ident(pg_get_userbyid(relowner))) FROM pg_class
     WHERE relnamespace = ANY (ARRAY[to_regnamespace(quote_ident(current_schema())), to_regnamespace('sandbox')]::oid[])
       AND relkind = 'r' AND NOT pg_has_role(relowner, 'USAGE')) AS owners`;

/**
 * The privileges that the role lacks for migrating, in one line. Read from the catalogue, because the server's message
 * names only the first obstacle, in the server's language.
 */
export async function explainRefusal(
  runner: QueryRunner,
  error: unknown,
  pending: number,
): Promise<ConfigurationError> {
  const [found] = await runner.manager.query<Privileges[]>(PRIVILEGES);
  const before = `${pending} migration(s) of the database of DATABASE_URL are pending, and its user ${found?.role ?? ''} may not apply them (${messageOf(error)})`;
  return new ConfigurationError(`${before}: ${found ? remedyOf(found) : 'run npm run migration:run as its owner'}`, {
    cause: error,
  });
}

function remedyOf(found: Privileges): string {
  const { role, database, schema, owners } = found;
  if (found.isReadOnly) return 'the server takes no writes; connect to the primary';
  if (schema === null) return `none of the schemas of its search_path exists, or it lacks USAGE on them`;
  const [owner] = owners ?? [];
  if (owner !== undefined)
    return `the tables belong to ${owner}: run npm run migration:run as that user, or GRANT ${owner} TO ${role}`;
  const grants = [
    ...(found.mayCreateTables ? [] : [`GRANT CREATE ON SCHEMA ${schema} TO ${role}`]),
    ...(found.mayCreateSchemas || found.hasSandbox ? [] : [`GRANT CREATE ON DATABASE ${database} TO ${role}`]),
  ];
  return `${grants.join(' and ')}, or run npm run migration:run as a user who may`;
}
