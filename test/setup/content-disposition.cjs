/**
 * @fastify/static requires this ESM-only package, which Node can do and Jest cannot. Only downloads use it, and no test
 * downloads anything: the application under test otherwise runs on its real dependencies.
 */
exports.create = (name) => `attachment; filename="${name}"`;
