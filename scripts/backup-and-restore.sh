#!/usr/bin/env bash
# Walks through a backup and its restore, with the tools of PostgreSQL:
#   scripts/backup-and-restore.sh backup  <DATABASE_URL> <file>   pg_dump, consistent, beside running instances
#   scripts/backup-and-restore.sh restore <file> <DATABASE_URL>   into an empty database, then counts what came back
# A dump is as old as its beginning. What was charged after it is found at the provider: run `npm run reconcile` on the
# restored database before instances start, and again after. For a shop that must lose nothing at all, replicate (docs/high-availability.md).
set -euo pipefail

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -eq 3 ] || usage

case "$1" in
  backup)
    url=$2 file=$3
    # Leases and heartbeats are of the processes that ran then: a restored one would look like a lost instance.
    pg_dump --format=custom --no-owner --no-privileges --exclude-table-data=instances --exclude-table-data=lock_leases \
      --exclude-schema=bullmq --file="$file.part" --dbname="$url"
    mv "$file.part" "$file" # a dump that broke off never looks like a whole one
    echo "backed up to $file: $(pg_restore --list "$file" | grep -c 'TABLE DATA') tables"
    ;;
  restore)
    file=$2 url=$3
    if [ "$(psql --dbname="$url" -XAtc "SELECT count(*) FROM pg_tables WHERE schemaname IN ('public', 'sandbox')")" != 0 ]; then
      echo 'The database is not empty: restore into a new one, and switch DATABASE_URL over.' >&2
      exit 1
    fi
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$url" "$file"
    psql --dbname="$url" -Xqc 'ANALYZE'
    psql --dbname="$url" -XAtc "SELECT 'restored ' || (SELECT count(*) FROM orders) || ' orders, the last one of ' || coalesce((SELECT max(created_at)::text FROM orders), 'never')"
    ;;
  *) usage ;;
esac
