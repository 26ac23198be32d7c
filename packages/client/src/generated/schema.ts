// Generated from openapi.json by `npm run openapi`. Do not edit.
export interface paths {
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics of this instance, and of the database that all instances share
         * @description The admin key may also come as `Authorization: Bearer`, which is how Prometheus sends a key from a file.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process runs
         * @description For a supervisor: 200 as long as the process answers. It says nothing about the database.
         */
        get: operations["isLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether it can serve: the database, its migrations, Redis
         * @description For a load balancer: 503 while the instance should get no traffic, as when its database is away or it is about to stop. Redis away is `degraded` and stays 200.
         */
        get: operations["isReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sales, by id
         * @description For storefronts: what is on sale or will be, without what only operators see.
         */
        get: operations["listSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sale and how many wait; admins also see who changed it
         * @description `waiting` and the other counts are at most a few seconds old.
         */
        get: operations["getSale"];
        /**
         * Set up a sale, or change its rate, its room or its end
         * @description From now until it ends, its SKUs can only be reserved and bought with a ticket that was called. Before `startsAt` nobody is called. Once it has begun `startsAt` stays, and once tickets were given out so does what is sold.
         */
        put: operations["putSale"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call nobody for now; who was called may still buy
         * @description Those who wait keep their places. Who paused it, and why, stays on record.
         */
        post: operations["pauseSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on calling, from where it was paused
         * @description The time of the pause does not count: nobody is called in a burst.
         */
        post: operations["resumeSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a sale for good: from now on nobody needs a ticket
         * @description Those who still wait are told SOLD_OUT. It cannot be undone.
         */
        post: operations["endSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join the queue of a sale: one ticket per customer and e-mail
         * @description Who joins before the start takes part in a draw of the places; who joins later stands at the end. A customer who proves who they are (JWT) gets their ticket again with 200; nobody else does, as the token is all that it takes to buy.
         */
        post: operations["createSaleTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/tickets/{ticketId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a ticket stands; ask again after Retry-After
         * @description Cheap to ask for: `Retry-After` says when it can have changed. `eventsUrl` follows it without asking.
         */
        get: operations["getSaleTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/tickets/{ticketId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a ticket: `ticket.state` when it changes, and its position now and then (server-sent events)
         * @description Open it with the `eventsUrl` of the ticket: its token opens this stream and nothing else.
         */
        get: operations["followSaleTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check out: reserve, charge and confirm, all or nothing
         * @description Refused by stock or by the card, it leaves a REJECTED order, which the problem names. With a `reservationId` it buys what is held; the access token of the reservation goes into `X-Access-Token`. A payment that fails leaves such a hold as it was: the problem names it, and a new checkout with another card buys it.
         */
        post: operations["checkOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Commands from the stream that could not be processed, newest first
         * @description Filter by `state`. A command is dead after all its deliveries have failed, or when its message cannot be understood.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A dead letter with its reason and its message
         * @description The message is as it arrived, so that it can be corrected and sent again.
         */
        get: operations["getDeadLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process the command again, under its own id
         * @description Answers RETRIED with the order that came of it, or OPEN with the reason of this attempt.
         */
        post: operations["retryDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a dead letter that nobody will process
         * @description It stays readable, with the name of the client that discarded it.
         */
        post: operations["discardDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What needs a person, by cause, and what to do about it
         * @description Stuck sagas, payments long in doubt, authorisations that end soon or have ended, disputes, dead callbacks, deliveries and commands, broken invariants. Each group has the verb to use and what that will do to money and stock, said before it is done.
         */
        get: operations["listAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/dossier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about one order, on one axis
         * @description Steps, waits for locks, commits, calls to the provider, callbacks, deliveries and operators’ actions, across instances, with durations and errors in words; the sagas, the payment and its refunds; and what can be done now, with what that will do.
         */
        get: operations["getOrderDossier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Provider, payment and order side by side
         * @description Asks the provider about the charges of the order now, and says where the three differ.
         */
        get: operations["compareOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the provider, our payments and our orders differ
         * @description What the reconciliation or a check of the ledger found since the ledger was last found equal, compared with the provider again just now.
         */
        get: operations["listDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Orders, sagas and SKUs by whatever is at hand
         * @description An id of an order, saga, payment, refund or reservation; an e-mail; a customer; a provider’s transaction (the provider is asked); an Idempotency-Key; a SKU.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit trail: what operators did, newest first
         * @description Every verb that took effect: who, what, to what and why. Written in the transaction of the effect, so that neither is without the other; what was refused is not in it.
         */
        get: operations["listOperatorActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bulk runs, newest first
         * @description Each with its counts: `done`, `refused` and `failed` of `total`.
         */
        get: operations["listBulkRuns"];
        put?: never;
        /**
         * A dry run: what a verb would do to everything that a filter finds
         * @description Nothing is done. The answer fixes the list of what would be touched, at most 10,000, and says what would happen to money and stock; `start` within 15 minutes does exactly that. What has moved on by then is refused, one by one.
         */
        post: operations["planBulkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A bulk run and how far it is
         * @description It goes on without whoever started it, and on another instance if its own is lost.
         */
        get: operations["getBulkRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-runs/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a bulk run touches, and what came of each
         * @description In the order in which it touches them. Filter by `state`: `FAILED` and `REFUSED` say why.
         */
        get: operations["listBulkItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-runs/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start what was planned, or go on with what was stopped
         * @description Every item is an action of its own in the audit trail, with the run’s id.
         */
        post: operations["startBulkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-runs/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop it: the item under way is finished, no other is begun
         * @description What was done stays done; `start` goes on with the rest. A plan is discarded.
         */
        post: operations["stopBulkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The service as it is now, over all instances
         * @description Checkouts per second by outcome, latency, sagas, payments in doubt, held stock, locks, queues, and the instances with what they lease. A few seconds old at most.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hot-skus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What sells now, and how long it will last
         * @description The SKUs of the newest orders, of at most five minutes and 2,000 of them: available, held, sold per minute, the wait for their locks, and when they will be sold out at this pace.
         */
        get: operations["listHotSkus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forget everything: orders, stock, webhook endpoints, faults; the demo catalogue is there again
         * @description For tests of a shop, between two of them. For a service of one instance: others would go on with what they have in memory. Does not exist in production.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a hold now, as if its time were over
         * @description For tests of a shop, which need not wait for 15 minutes. Does not exist in production.
         */
        post: operations["expireReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/drops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The flash sale of the demo: the one that is on, or a new one
         * @description A dozen prints, with a queue in front of them that opens a moment later. When they are sold, or after ten minutes, the next call opens another. Does not exist in production.
         */
        post: operations["openDemoDrop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this is, and where its parts are
         * @description A browser is led to the shop, to the console, or to the description of the API, whichever is served.
         */
        get: operations["describeService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Endpoints, newest first
         * @description With their state and their events, without their secrets.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Register an endpoint; its signing secret is shown this once
         * @description Events are delivered by HTTPS, signed by the Standard Webhooks specification, at least once and in order per order. Private addresses are refused unless configured.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An endpoint, without its secret
         * @description An endpoint that fails for days is disabled, and says so here.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint with its deliveries
         * @description Nothing is delivered to it any more, not even what is under way.
         */
        delete: operations["removeWebhookEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new signing secret, shown this once; the old one keeps signing beside it for 24 hours
         * @description Deliveries carry a signature of each secret while both are valid, so that receivers can change over without losing one.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop delivering: what is open waits, what happens meanwhile is not delivered
         * @description For a receiver that is to be quiet for a while.
         */
        post: operations["disableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again, beginning with what is open
         * @description Deliveries that waited are sent in their order.
         */
        post: operations["enableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries of an endpoint, newest first
         * @description Each with its attempts and the last answer. Filter by `state`: `DEAD` lists what was given up.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again, now: what is dead, what waits for a retry, or what was delivered before
         * @description The event keeps its id, so that a receiver that has seen it can drop it.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The provider’s own ledger about an order
         * @description To compare with what the service says: each charge with what was refunded of it. Declined attempts are no charges.
         */
        get: operations["listSandboxCharges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the sandbox does wrong on demand
         * @description Faults hold for all instances, which notice a change within a second.
         */
        get: operations["getSandboxFaults"];
        /**
         * Replace all faults; `{}` ends them
         * @description A fault that is not named is off. For tests of a shop: latency, errors, lost answers, duplicate or early callbacks.
         */
        put: operations["putSandboxFaults"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/authentications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The customer’s page of 3-D Secure
         * @description `nextAction.url` of an order leads here. The id in the address is the only credential, as in a bank’s link.
         */
        get: operations["showAuthentication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/authentications/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The customer approves: the payment goes on by a callback
         * @description What the button of the page does. The order is confirmed by a callback, shortly after.
         */
        post: operations["approveAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/authentications/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The customer declines
         * @description What the other button of the page does. The order is rejected by a callback, shortly after.
         */
        post: operations["declineAuthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List SKUs, such as the seat map of a group
         * @description A group is at most a second old, carries an `ETag` and may be asked for by any number of readers: send the tag back in `If-None-Match`, or follow the changes at `/v1/skus/events`. What is available is no promise: the reservation decides.
         */
        get: operations["listSkus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skus/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a group: what changes in its seat map (server-sent events)
         * @description The first message is `skus.state` with all of the group; `skus.changed` follows with the SKUs that changed, and `removed` where some have left the group. A client that sends the id of the last message it saw as `Last-Event-ID` (or the query parameter `lastEventId`) gets only what it missed. Changes are at most a second old. Open streams are limited (429 or 503 with `Retry-After`).
         */
        get: operations["followSkus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skus/{sku}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a SKU; its ETag changes with its catalogue data and its stock
         * @description Stock is `onHand`, of which `reserved` is held or being bought; `available` is the rest.
         */
        get: operations["getSku"];
        /**
         * Create a SKU with its stock, or change its catalogue data
         * @description `onHand` sets the stock of a new SKU alone; later it changes by adjustments. `If-Match` guards against a change that somebody else made meanwhile.
         */
        put: operations["putSku"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/skus/{sku}/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the stock by a delta, never below what is reserved
         * @description Deliveries, losses and counts: each is kept as a movement with its reason. Runs under the lock of the SKU, like every sale.
         */
        post: operations["adjustStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkouts/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price lines and say what is available, without any effect
         * @description For a basket that is not bought yet: prices, the total, and for each line whether it could be had now. Nothing is reserved.
         */
        post: operations["quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold lines, the first of several alternatives that can be held whole, or the best seats of a group
         * @description All or nothing, for 15 minutes unless configured otherwise. The answer has the `accessToken` with which the hold is read, extended, released or bought.
         */
        post: operations["createReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reservations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a reservation
         * @description `state` is EXPIRED from `expiresAt` on, also before the clean-up has noticed.
         */
        get: operations["getReservation"];
        put?: never;
        post?: never;
        /**
         * Release a reservation; twice is as good as once
         * @description The stock is free at once. A reservation that was bought or has expired is not released (409, 410).
         */
        delete: operations["releaseReservation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reservations/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change what a reservation holds, all or nothing
         * @description If the new lines cannot be held, the reservation stays as it was. It ends when it would have ended. A line of which no more is wanted keeps its price; a new line, and one of which more is wanted, has the price of now.
         */
        put: operations["changeReservation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reservations/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend a reservation, within the limit of all its extensions
         * @description Moves `expiresAt`. All extensions of a reservation together are limited; the problem says what is left.
         */
        post: operations["extendReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/locks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The locks that are held now, by any instance
         * @description Key, owner, age, remaining lease and waiters, for operators who want to know what a checkout waits for.
         */
        get: operations["listLocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/coupons/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a coupon and how often it was redeemed
         * @description `redeemed` counts confirmed orders; cancelling one gives its redemption back.
         */
        get: operations["getCoupon"];
        /**
         * Create a coupon, or change its rules
         * @description Holds and orders that have it keep their discount: new rules are for those who come later. `maxRedemptions` cannot fall below what is redeemed and held.
         */
        put: operations["putCoupon"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sagas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sagas, newest first
         * @description Filter by `state`: `STUCK` lists those that need a person. A saga is the durable progress of one checkout, refund or cancellation. A page may be short, even empty, and still have a `nextCursor`: what is rare is looked for a part at a time.
         */
        get: operations["listSagas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sagas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A saga with its step log and audit trail
         * @description The log says which steps ran, how often and with what result; the audit trail says which operator did what, and why.
         */
        get: operations["getSaga"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sagas/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a STUCK saga again, from where it stopped
         * @description The saga goes on with the step that gave up. Give a reason: it is kept in the audit trail with the name of the API key’s client.
         */
        post: operations["retrySaga"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sagas/{id}/compensate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a saga back, unless it has passed its pivot
         * @description Its steps are compensated in reverse order: the charge is paid back, the stock is released, the order is rejected. A saga that has passed its pivot only goes forward (409).
         */
        post: operations["compensateSaga"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sagas/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a STUCK saga whose effects were settled by hand
         * @description Nothing is done any more: the saga is RESOLVED, and what is left of it is the operator’s. Give a reason: it is kept in the audit trail.
         */
        post: operations["resolveSaga"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Callbacks of the payment provider, authenticated by their signature
         * @description Stored under the provider’s event id and answered at once; processed later. A duplicate is a 200 too.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Callbacks that were received, newest first
         * @description Filter by `state`: `DEAD` lists those that could not be processed in all their attempts.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a callback again, a dead one above all
         * @description Processing is idempotent: a callback that took effect before changes nothing.
         */
        post: operations["replayWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account: for admins, and for its customer with their JWT
         * @description `available` is what an order could spend now.
         */
        get: operations["getAccount"];
        /**
         * Create an account for store credit, or change whose it is
         * @description Its customer spends it with a JWT of their own, an admin without. Once it has entries its currency stays.
         */
        put: operations["putAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The entries of an account, newest first
         * @description What admins entered, what orders spent, and what was given back. They add up to the balance.
         */
        get: operations["listAccountEntries"];
        put?: never;
        /**
         * Add credit, or take it away
         * @description Under the account’s lock. Never below what orders hold.
         */
        post: operations["addAccountEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gift-cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a gift card
         * @description The code is shown here and never again; it is stored as a keyed hash. Send an Idempotency-Key to be able to repeat the request: the answer is then the same. Whoever knows the code may spend the card.
         */
        post: operations["issueGiftCard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Orders, newest first: a customer’s own, or for an admin those of all
         * @description With a customer’s JWT it lists the orders of that customer. Without one it needs an admin key. `email`, `idempotencyKey` and `transactionId` are for admin keys. A page may be short, even empty, and still have a `nextCursor`: what is rare is looked for a part at a time.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An order, for its customer, the holder of its access token, or an admin
         * @description A stranger’s order is 404, as if it did not exist. The order shows its payment, its reservation, what the customer has to do next, and why it was rejected.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to the order, and why
         * @description One list of steps, locks, holds, calls to the payment provider and its callbacks, in the order they happened.
         */
        get: operations["getOrderTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order: pay back, free the stock
         * @description An order that waits for its customer (PENDING, with a `nextAction`) ends REJECTED with the code CANCELLED: its authorisation is voided, or its charge paid back, and its stock is free, or its hold the customer’s again. A CONFIRMED order ends CANCELLED and restocked, its payment refunded, or voided if it was only authorised; its customer may do that for as long as the shop allows (`CUSTOMER_CANCEL_SECONDS`), an admin at any time. The `reason` of an admin is kept in the audit trail.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take what was authorised, in full or in part, once
         * @description For an order whose checkout had `payment.capture: "manual"` and whose payment is AUTHORIZED. With `amount` only so much is taken, and the rest is released at the provider: there is no second capture. Any other payment is refused with INVALID_STATE and its `state`; a card that pays nothing has nothing to capture. The `reason` is kept in the audit trail.
         */
        post: operations["captureOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a captured payment, in full or in part
         * @description Without `amount` everything that is left is refunded: card first, then credit. All refunds together never exceed what was captured and what credit paid. With `to: "credit"` it goes to the customer’s account, at once.
         */
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an order: its state now, then its events as they happen (server-sent events)
         * @description The first message is `order.state`. Domain events follow with their `id`, which a reconnecting client sends back as `Last-Event-ID` to get what it missed. The stream ends after REJECTED or CANCELLED, or when nothing happened for some minutes. Open streams are limited per order and per caller (429 with `Retry-After`).
         */
        get: operations["followOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invariants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every invariant, checked now
         * @description Runs every check against the database: stock, money and states. `ok` is false, and the check names its violations, where something is wrong.
         */
        get: operations["checkInvariants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invariants/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the checks found, newest first
         * @description Every instance checks every minute. Equal results are one entry with its beginning and its end, so that an entry begins where something changed. Kept for 90 days.
         */
        get: operations["listInvariantHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Anonymise a customer’s orders; the books are kept
         * @description Amounts, lines, payments and refunds stay. Orders that are still under way are left alone and counted in `openOrders`: call again when they have ended.
         */
        post: operations["eraseCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            /** @example credit-ada */
            id: string;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            customerId?: string;
            /** @description Spent by its code */
            isGiftCard: boolean;
            /**
             * @description The sum of its entries
             * @example 1250
             */
            balance: number;
            /**
             * @description Of the balance, held by orders that are not confirmed yet
             * @example 0
             */
            held: number;
            /**
             * @description balance − held
             * @example 1250
             */
            available: number;
        };
        AccountEntry: {
            /** Format: uuid */
            id: string;
            /** @example credit-ada */
            accountId: string;
            /**
             * @example ADJUSTMENT
             * @enum {string}
             */
            kind: "ADJUSTMENT" | "PURCHASE" | "REFUND";
            /** @example 2000 */
            amount: number;
            /** @example goodwill */
            reason: string;
            /**
             * Format: uuid
             * @description Of a purchase or a refund
             */
            orderId?: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
        };
        AccountEntryPage: {
            items: components["schemas"]["AccountEntry"][];
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "amount": 2000,
         *       "reason": "goodwill"
         *     }
         */
        AccountEntryRequest: {
            /** @description In minor units; negative to take it away, never more than is there and not held */
            amount: number;
            reason: string;
        };
        /** @description The account does not exist */
        AccountNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "ACCOUNT_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        /**
         * @example {
         *       "currency": "EUR",
         *       "customerId": "ada"
         *     }
         */
        AccountRequest: {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description Who may spend it with a JWT of their own
             * @example ada
             */
            customerId?: string | null;
        };
        /**
         * @example {
         *       "delta": 25,
         *       "reason": "delivery 4711"
         *     }
         */
        AdjustmentRequest: {
            delta: number;
            reason: string;
        };
        /** @description A ticket that was called is required */
        AdmissionRequiredProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 403;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "ADMISSION_REQUIRED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description The sale that is on */
            saleId: string;
            /**
             * @description What is wrong with the ticket
             * @example MISSING
             * @example WAITING
             * @example USED
             */
            reason?: string;
        };
        /** @description What waits for a person, by cause */
        Attention: {
            /** @description Over all groups */
            count: number;
            groups: components["schemas"]["AttentionGroup"][];
            /** Format: date-time */
            checkedAt: string;
        };
        AttentionGroup: {
            /** @description Names the group; the same cause has the same name tomorrow */
            cause: string;
            /** @enum {string} */
            kind: "stuck-saga" | "payment-in-doubt" | "dead-callback" | "dead-delivery" | "dead-letter" | "broken-invariant" | "authorization-expiring" | "authorization-expired" | "dispute";
            /** @example A refund does not go through */
            title: string;
            /** @description The newest reason, in words */
            why: string;
            /** @description How many there are, of which `items` are the newest */
            count: number;
            /** Format: date-time */
            oldestAt: string;
            /** @description The verb to use; null where a person has to find out */
            recommended: string | null;
            advice: string;
            /** @description What the recommended verb will do to the listed items */
            effects: components["schemas"]["Effect"][];
            summary: string;
            /** @description The bulk run that applies the verb to all of them; see `POST /v1/bulk-runs` */
            bulk: {
                /** @enum {string} */
                action: "retry-sagas" | "compensate-sagas" | "resolve-sagas" | "replay-callbacks" | "replay-deliveries" | "retry-dead-letters" | "discard-dead-letters" | "cancel-orders" | "refund-orders";
                filter: {
                    [key: string]: string;
                };
            } | null;
            items: components["schemas"]["AttentionItem"][];
        };
        AttentionItem: {
            /** @enum {string} */
            subjectKind: "saga" | "order" | "sku" | "callback" | "delivery" | "dead-letter" | "customer" | "bulk-run" | "sale" | "payment" | "violation";
            /** @description The id that a verb takes */
            subject: string;
            orderId: string | null;
            /**
             * Format: uuid
             * @description Of a delivery
             */
            endpointId?: string;
            /** Format: date-time */
            since: string;
            /** @description What is wrong, in words */
            problem: string;
            verbs: components["schemas"]["VerbPreview"][];
        };
        AxisSpan: {
            /** @description What it belongs to: a saga’s id, `callbacks`, `deliveries` or `operators` */
            lane: string;
            /**
             * @example call
             * @enum {string}
             */
            kind: "lock" | "step" | "call" | "commit" | "wait" | "takeover" | "note" | "callback" | "delivery" | "action";
            /** @example process-payment */
            name: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The same as `from` for a mark
             * @example 2026-11-15T10:00:00.000Z
             */
            to: string;
            ms: number;
            /** @description On the way back */
            isBack?: boolean;
            result?: string;
            /** @description What it ran into, in words */
            error?: string;
            /** @description The instance that did it */
            by?: string;
            attempt?: number;
            detail?: {
                [key: string]: unknown;
            };
        };
        BulkFilter: {
            /** @description Sagas: of this definition */
            name?: string;
            /** @description Sagas: at this step */
            step?: string;
            /**
             * @description Sagas: on their way, or on their way back
             * @enum {string}
             */
            direction?: "on" | "back";
            /** @description Sagas, dead letters: failed with this code */
            code?: string;
            /**
             * @description Sagas to compensate; STUCK unless given
             * @enum {string}
             */
            state?: "STUCK" | "WAITING";
            /** @description Callbacks: of this type */
            type?: string;
            /**
             * Format: uuid
             * @description Deliveries: to this endpoint
             */
            endpointId?: string;
            /**
             * @description Orders: with a line of it
             * @example demo-mug
             */
            sku?: string;
            /**
             * Format: email
             * @description Orders: of this e-mail
             */
            email?: string;
            /** @description Orders: of this customer */
            customerId?: string;
            /**
             * Format: date-time
             * @description Orders: created then or later
             */
            createdFrom?: string;
            /**
             * Format: date-time
             * @description Orders: created before then
             */
            createdTo?: string;
        };
        BulkItem: {
            /** Format: uuid */
            runId: string;
            position: number;
            subject: string;
            orderId: string | null;
            /** @enum {string} */
            state: "PENDING" | "BEGUN" | "DONE" | "REFUSED" | "FAILED";
            /** @description What came of it, in words */
            result: string | null;
            at: string | null;
        };
        BulkItemPage: {
            items: components["schemas"]["BulkItem"][];
            nextCursor: number | null;
        };
        BulkPreview: {
            /**
             * @description What it will do to all of them, in words
             * @example refunds 199.90 EUR, puts 10 × demo-mug back into stock, cancels 10 orders
             */
            summary: string;
            effects: components["schemas"]["Effect"][];
            /** @description The first of them */
            sample: {
                subject: string;
                orderId: string | null;
                summary: string;
            }[];
        };
        BulkRun: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            action: "retry-sagas" | "compensate-sagas" | "resolve-sagas" | "replay-callbacks" | "replay-deliveries" | "retry-dead-letters" | "discard-dead-letters" | "cancel-orders" | "refund-orders";
            filter: components["schemas"]["BulkFilter"];
            /** @enum {string} */
            state: "PLANNED" | "RUNNING" | "STOPPED" | "COMPLETED" | "DISCARDED";
            perSecond: number;
            actor: string;
            reason: string;
            preview: components["schemas"]["BulkPreview"];
            /** @description How many it touches: the list is fixed when it is planned */
            total: number;
            /** @description There are more: plan another run behind this one */
            isTruncated: boolean;
            done: number;
            /** @description Had moved on, or could not be done */
            refused: number;
            /** @description Ran into an error, several times */
            failed: number;
            /** @description Why it stopped by itself */
            stopReason: string | null;
            /** @description The instance that drives it */
            owner: string | null;
            /** @description Grows with every change of driver */
            epoch: number;
            /** @description When another instance takes it over, unless renewed */
            leaseUntil: string | null;
            startedAt: string | null;
            endedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description The bulk run does not exist */
        BulkRunNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "BULK_RUN_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        BulkRunPage: {
            items: components["schemas"]["BulkRun"][];
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "action": "retry-sagas",
         *       "filter": {
         *         "name": "cancel-order",
         *         "step": "return-payment"
         *       },
         *       "reason": "the provider is back",
         *       "perSecond": 5
         *     }
         */
        BulkRunRequest: {
            /** @enum {string} */
            action: "retry-sagas" | "compensate-sagas" | "resolve-sagas" | "replay-callbacks" | "replay-deliveries" | "retry-dead-letters" | "discard-dead-letters" | "cancel-orders" | "refund-orders";
            /** @description Default: `{}`. */
            filter?: components["schemas"]["BulkFilter"];
            reason: string;
            /** @description The rate. Default: `5`. */
            perSecond?: number;
        };
        CallbackDetail: {
            /** Format: uuid */
            id: string;
            eventId: string;
            type: string;
            transactionId: string;
            /** @enum {string} */
            state: "RECEIVED" | "PROCESSED" | "DEAD";
            attempts: number;
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            receivedAt: string;
            processedAt: string | null;
        };
        /** @description The order was cancelled */
        CancelledProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "CANCELLED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
        };
        /** @description The capture exceeds what was authorised */
        CaptureExceedsAuthorizedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "CAPTURE_EXCEEDS_AUTHORIZED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** Format: uuid */
            orderId?: string;
            /** @description What can be captured */
            authorized?: number;
        };
        /**
         * @default {
         *       "reason": "not given"
         *     }
         * @example {
         *       "amount": 1250,
         *       "reason": "shipped"
         *     }
         */
        CaptureRequest: {
            /** @description In minor units; all that is authorised unless told. The rest is released. */
            amount?: number;
            /** @description Default: `"not given"`. */
            reason?: string;
        };
        /**
         * @example {
         *       "customer": {
         *         "email": "ada@example.com"
         *       },
         *       "currency": "EUR",
         *       "lines": [
         *         {
         *           "sku": "demo-mug",
         *           "quantity": 1
         *         }
         *       ],
         *       "payment": {
         *         "method": "pm_card_visa"
         *       }
         *     }
         */
        CheckoutRequest: {
            /** @description Default: `{}`. */
            customer?: {
                /** @description Where customers have JWTs, a storefront key may name the JWT’s subject only; the JWT’s subject if absent */
                id?: string;
                /** Format: email */
                email?: string;
            };
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            lines: components["schemas"]["LineRequest"][];
            /**
             * @description With a reservation: in place of those that it was made with
             * @example [
             *       "SAVE10"
             *     ]
             */
            coupons?: string[];
            payment: {
                /**
                 * @description The provider’s token for the card, never a card number. It may be left out where nothing is left for a card to pay.
                 * @example pm_card_visa
                 */
                method?: string;
                /**
                 * @description `manual` only blocks the amount on the card: the order is CONFIRMED, its payment AUTHORIZED, and `POST /v1/orders/{id}/capture` takes it, or a part of it, within `AUTHORIZATION_DAYS`. Where nothing is left for a card to pay there is nothing to capture.
                 * @enum {string}
                 */
                capture?: "automatic" | "manual";
                /** @description Pays first, each as far as it goes; the card pays the rest */
                credit?: components["schemas"]["CreditSource"][];
            };
            /** @description With lines: if the payment fails, what was held stays held for another card */
            holdOnDecline?: boolean;
            /**
             * Format: uri
             * @description Where the customer’s browser goes after an authentication (3-D Secure): a page of an origin that the service knows
             * @example https://shop.example/checkout/return
             */
            returnUrl?: string;
            /** @description What the customer was shown: another total is refused with PRICE_CHANGED */
            expectedTotal?: number;
            /** @description Yours; kept with the order, at most 4,096 bytes. Default: `{}`. */
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
        } | {
            /** @description Default: `{}`. */
            customer?: {
                /** @description Where customers have JWTs, a storefront key may name the JWT’s subject only; the JWT’s subject if absent */
                id?: string;
                /** Format: email */
                email?: string;
            };
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * Format: uuid
             * @description In place of lines: buys what is held. Send its access token in X-Access-Token.
             */
            reservationId: string;
            /**
             * @description With a reservation: in place of those that it was made with
             * @example [
             *       "SAVE10"
             *     ]
             */
            coupons?: string[];
            payment: {
                /**
                 * @description The provider’s token for the card, never a card number. It may be left out where nothing is left for a card to pay.
                 * @example pm_card_visa
                 */
                method?: string;
                /**
                 * @description `manual` only blocks the amount on the card: the order is CONFIRMED, its payment AUTHORIZED, and `POST /v1/orders/{id}/capture` takes it, or a part of it, within `AUTHORIZATION_DAYS`. Where nothing is left for a card to pay there is nothing to capture.
                 * @enum {string}
                 */
                capture?: "automatic" | "manual";
                /** @description Pays first, each as far as it goes; the card pays the rest */
                credit?: components["schemas"]["CreditSource"][];
            };
            /** @description With lines: if the payment fails, what was held stays held for another card */
            holdOnDecline?: boolean;
            /**
             * Format: uri
             * @description Where the customer’s browser goes after an authentication (3-D Secure): a page of an origin that the service knows
             * @example https://shop.example/checkout/return
             */
            returnUrl?: string;
            /** @description What the customer was shown: another total is refused with PRICE_CHANGED */
            expectedTotal?: number;
            /** @description Yours; kept with the order, at most 4,096 bytes. Default: `{}`. */
            metadata?: {
                [key: string]: string | number | boolean | null;
            };
        };
        CommandDeadLetteredEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "command.dead_lettered";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: Record<string, never>;
        };
        Comparison: {
            /** Format: uuid */
            orderId: string;
            order: {
                state: string;
                /**
                 * @description In minor units
                 * @example 1250
                 */
                total: number;
                /**
                 * @description ISO 4217
                 * @example EUR
                 */
                currency: string;
            };
            payment: {
                state: string;
                transactionId: string | null;
                /**
                 * @description In minor units
                 * @example 1250
                 */
                amount: number;
                /**
                 * @description In minor units
                 * @example 1250
                 */
                capturedAmount: number;
                /**
                 * @description In minor units
                 * @example 1250
                 */
                refundedAmount: number;
                /**
                 * @description ISO 4217
                 * @example EUR
                 */
                currency: string;
            } | null;
            provider: {
                /** @example sandbox */
                name: string;
                charges: {
                    id: string;
                    state: string;
                    /**
                     * @description In minor units
                     * @example 1250
                     */
                    amount: number;
                    /**
                     * @description In minor units
                     * @example 1250
                     */
                    capturedAmount: number;
                    /**
                     * @description In minor units
                     * @example 1250
                     */
                    refundedAmount: number;
                    currency: string;
                    /** @description Captured without an order, and paid back on its own */
                    isStray: boolean;
                }[];
            };
            /** @description A saga is at work: the three may differ for a moment */
            isOpen: boolean;
            /** @description Where they differ, in words; none if they agree */
            problems: string[];
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            comparedAt: string;
        };
        Coupon: {
            /** @example SAVE10 */
            code: string;
            percentOff?: number;
            amountOff?: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency?: string;
            maxRedemptions?: number;
            maxPerCustomer?: number;
            minimumAmount?: number;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            startsAt?: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            endsAt?: string;
            skus?: string[];
            group?: string;
            /**
             * @description By confirmed orders
             * @example 12
             */
            redeemed: number;
            /**
             * @description By holds and by orders that are not confirmed yet
             * @example 1
             */
            held: number;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description The coupon has been used as often as it may be */
        CouponExhaustedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "COUPON_EXHAUSTED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            coupon: string;
        };
        /** @description The coupon does not apply to this */
        CouponNotApplicableProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "COUPON_NOT_APPLICABLE";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            coupon: string;
            /**
             * @description Which of its conditions is not met
             * @example NOT_STARTED
             * @example ENDED
             * @example CURRENCY
             * @example MINIMUM_AMOUNT
             * @example OTHER_GOODS
             * @example CUSTOMER_UNKNOWN
             */
            reason: string;
        };
        /** @description The coupon does not exist */
        CouponNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "COUPON_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            coupon?: string;
        };
        /**
         * @example {
         *       "percentOff": 10,
         *       "maxRedemptions": 50,
         *       "maxPerCustomer": 1
         *     }
         */
        CouponRequest: {
            /**
             * @description Of the price of its items; rounded half up once per order
             * @example 10
             */
            percentOff: number;
            /**
             * @description Needed with amountOff; else restricts the coupon to it
             * @example EUR
             */
            currency?: string;
            /**
             * @description By everybody together, held or redeemed; never below what is
             * @example 50
             */
            maxRedemptions?: number | null;
            /**
             * @description By one customer: by id, else by mailbox
             * @example 1
             */
            maxPerCustomer?: number | null;
            /** @description Of all items together, before discounts */
            minimumAmount?: number | null;
            startsAt?: string | null;
            /** @description From then on it is not good any more */
            endsAt?: string | null;
            /** @description Only for these */
            skus?: string[] | null;
            /** @description Only for the SKUs of this group (and those of `skus`) */
            group?: string | null;
        } | {
            /** @description In place of a percentage, in minor units: at most what its items cost */
            amountOff: number;
            /**
             * @description Needed with amountOff; else restricts the coupon to it
             * @example EUR
             */
            currency?: string;
            /**
             * @description By everybody together, held or redeemed; never below what is
             * @example 50
             */
            maxRedemptions?: number | null;
            /**
             * @description By one customer: by id, else by mailbox
             * @example 1
             */
            maxPerCustomer?: number | null;
            /** @description Of all items together, before discounts */
            minimumAmount?: number | null;
            startsAt?: string | null;
            /** @description From then on it is not good any more */
            endsAt?: string | null;
            /** @description Only for these */
            skus?: string[] | null;
            /** @description Only for the SKUs of this group (and those of `skus`) */
            group?: string | null;
        };
        CreatedAccountEntry: {
            /** Format: uuid */
            id: string;
            /** @example credit-ada */
            accountId: string;
            /**
             * @example ADJUSTMENT
             * @enum {string}
             */
            kind: "ADJUSTMENT" | "PURCHASE" | "REFUND";
            /** @example 2000 */
            amount: number;
            /** @example goodwill */
            reason: string;
            /**
             * Format: uuid
             * @description Of a purchase or a refund
             */
            orderId?: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * @description In minor units
             * @example 1250
             */
            balance: number;
            /**
             * @description In minor units
             * @example 1250
             */
            held: number;
            /**
             * @description In minor units
             * @example 1250
             */
            available: number;
        };
        CreatedOrder: {
            /** Format: uuid */
            id: string;
            /**
             * @example CONFIRMED
             * @enum {string}
             */
            state: "PENDING" | "CONFIRMED" | "REJECTED" | "CANCELLED";
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description What is owed for the goods, after discounts
             * @example 1250
             */
            total: number;
            /** @description How the amount due comes about: items, discounts and credit add up to `amountDue` */
            totals: components["schemas"]["TotalLine"][];
            /**
             * @description What the card pays: the total without what credit pays
             * @example 1250
             */
            amountDue: number;
            lines: components["schemas"]["Line"][];
            /** @description What store credit and gift cards pay, and what of it was given back to them */
            credit?: {
                /**
                 * @description In minor units
                 * @example 1250
                 */
                amount: number;
                /**
                 * @description In minor units
                 * @example 0
                 */
                refundedAmount: number;
            };
            customer: {
                id?: string;
                email?: string;
            };
            /** @description None before the payment was begun */
            payment: components["schemas"]["Payment"] | null;
            /** @description None where nothing could be reserved */
            reservation: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /**
                 * Format: date-time
                 * @example 2026-11-15T10:00:00.000Z
                 */
                expiresAt: string;
            } | null;
            /** Format: uuid */
            sagaId: string;
            rejection?: components["schemas"]["Rejection"];
            nextAction?: components["schemas"]["NextAction"];
            /**
             * @description Opened by a browser’s EventSource without any header: holds a token for this order’s events, valid for an hour
             * @example https://checkout.example/v1/orders/0199c8f0-5a1e-7c3b-9d2e-4f6a8b0c1d2e/events?token=1763380800.x
             */
            eventsUrl: string;
            /** @example {} */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
            /** @description Send it in X-Access-Token to read the order */
            accessToken: string;
        };
        CreatedReservation: {
            /** Format: uuid */
            id: string;
            /**
             * @example HELD
             * @enum {string}
             */
            state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * Format: date-time
             * @description Until then the stock is kept
             * @example 2026-11-15T10:00:00.000Z
             */
            expiresAt: string;
            lines: components["schemas"]["Line"][];
            /**
             * @description What is owed for the goods, after discounts
             * @example 1250
             */
            total: number;
            /** @description How the amount due comes about: items, discounts and credit add up to `amountDue` */
            totals: components["schemas"]["TotalLine"][];
            /**
             * @description What a card would pay, unless credit pays a part
             * @example 1250
             */
            amountDue: number;
            /**
             * @description Which of the alternatives is held, from 0
             * @example 0
             */
            alternative: number;
            /** @description Send it in X-Access-Token to read, extend, release or buy */
            accessToken: string;
        };
        CreatedSaleTicket: {
            /** Format: uuid */
            id: string;
            /** @example noon */
            saleId: string;
            /** @enum {string} */
            state: "WAITING" | "ADMITTED" | "EXPIRED" | "SOLD_OUT";
            /** @description Who is next has 1, who was called 0. Before the start the order of arrival, which the draw replaces. */
            position: number;
            /** @description By the rate of admission alone */
            estimatedWaitSeconds: number;
            /**
             * Format: date-time
             * @description Until then it can be used
             * @example 2026-11-15T10:00:00.000Z
             */
            admittedUntil?: string;
            /**
             * Format: uuid
             * @description What it is used up for, while that is held or bought
             */
            reservationId?: string;
            /** @description Server-sent events of this ticket, for an `EventSource`: needs no headers */
            eventsUrl: string;
            /** @description Send it in X-Sale-Ticket to read the ticket and to buy */
            token: string;
        };
        CreditSource: {
            /**
             * @description With the JWT of its customer, or by an admin
             * @example credit-ada
             */
            accountId: string;
        } | {
            /**
             * @description Of a gift card
             * @example 7KQ2M-9XH4T-PV3C8-ZN6WD
             */
            giftCardCode: string;
        };
        DeadLetter: {
            /** Format: uuid */
            id: string;
            /** @description The sender’s id, which is its Idempotency-Key */
            messageId: string | null;
            /** @description As it was sent; null if it held a card number or the code of a gift card */
            body: string | null;
            /**
             * @description As the problem over HTTP
             * @example VALIDATION_FAILED
             */
            code: string;
            /** @example currency: must be an ISO 4217 code */
            reason: string;
            /** @example 1 */
            deliveries: number;
            /**
             * @example OPEN
             * @enum {string}
             */
            state: "OPEN" | "RETRIED" | "DISCARDED";
            /** @description What came of a retry */
            orderId: string | null;
            /** @description The client that retried or discarded it */
            resolvedBy: string | null;
            resolvedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description The dead letter does not exist */
        DeadLetterNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "DEAD_LETTER_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        DeadLetterPage: {
            items: components["schemas"]["DeadLetter"][];
            nextCursor: string | null;
        };
        DeliveryDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpointId: string;
            url: string;
            /** Format: uuid */
            eventId: string;
            type: string;
            /** @enum {string} */
            state: "PENDING" | "RETRYING" | "DELIVERED" | "DEAD";
            attempts: number;
            lastStatus: number | null;
            lastError: string | null;
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
        };
        /** @description A dependency is not available */
        DependencyUnavailableProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 503;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "DEPENDENCY_UNAVAILABLE";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description Seconds, as in Retry-After */
            retryAfter?: number;
        };
        Differences: {
            /** @description Compared again just now: those that still differ */
            items: components["schemas"]["Comparison"][];
            /** @description Charges of orders that are not ours */
            foreign: {
                transactionId: string;
                orderId: string | null;
                problem: string;
            }[];
            isTruncated: boolean;
        };
        /** @description The customer’s bank wants the money back */
        Dispute: {
            /**
             * @description The provider’s
             * @example du_1Pgc6t
             */
            id: string;
            /**
             * @description CLOSED is an inquiry that came to nothing
             * @example OPEN
             * @enum {string}
             */
            state: "OPEN" | "WON" | "LOST" | "CLOSED";
            /**
             * @description In minor units
             * @example 1250
             */
            amount: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description The bank’s
             * @example product_not_received
             */
            reason: string;
            /**
             * Format: date-time
             * @description Until when the shop may answer, at the provider
             * @example 2026-11-15T10:00:00.000Z
             */
            respondBy?: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            openedAt: string;
        };
        DomainEvent: components["schemas"]["OrderConfirmedEvent"] | components["schemas"]["OrderRejectedEvent"] | components["schemas"]["OrderCancelledEvent"] | components["schemas"]["PaymentAuthorizedEvent"] | components["schemas"]["PaymentAuthorizationExpiringEvent"] | components["schemas"]["PaymentAuthorizationExpiredEvent"] | components["schemas"]["PaymentCapturedEvent"] | components["schemas"]["PaymentDeclinedEvent"] | components["schemas"]["PaymentVoidedEvent"] | components["schemas"]["PaymentDisputedEvent"] | components["schemas"]["PaymentDisputeClosedEvent"] | components["schemas"]["RefundSettledEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["ReservationExpiredEvent"] | components["schemas"]["SagaStuckEvent"] | components["schemas"]["CommandDeadLetteredEvent"];
        /** @description Everything about one order */
        Dossier: {
            order: components["schemas"]["Order"];
            payment: components["schemas"]["PaymentDetail"] | null;
            refunds: components["schemas"]["RefundDetail"][];
            sagas: {
                /** Format: uuid */
                id: string;
                /** @example checkout */
                name: string;
                /** @example 1 */
                version: number;
                /**
                 * @example COMPLETED
                 * @enum {string}
                 */
                state: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
                /** @description What it is about: an order */
                subject: string;
                /**
                 * @description The step it is at, from 0
                 * @example 3
                 */
                position: number;
                /**
                 * @example end
                 * @enum {string}
                 */
                phase: "execute" | "call" | "undo" | "undo-call" | "end";
                /**
                 * @description Failed attempts at the present step
                 * @example 0
                 */
                attempts: number;
                failure: {
                    code: string;
                    detail: string;
                } | null;
                /** @description The instance that drives it */
                owner: string | null;
                /**
                 * @description Grows with every change of owner
                 * @example 1
                 */
                epoch: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                log: components["schemas"]["SagaLogEntry"][];
                /** @description Of the trace that it is part of, where tracing was on */
                traceId?: string;
                /**
                 * Format: date-time
                 * @description When another instance takes it over, or its wait ends
                 */
                dueAt: string;
                audit: components["schemas"]["SagaAuditEntry"][];
                /** @description What can be done to it now */
                verbs: components["schemas"]["VerbPreview"][];
            }[];
            callbacks: components["schemas"]["CallbackDetail"][];
            deliveries: components["schemas"]["DeliveryDetail"][];
            /** @description What operators did to it */
            actions: components["schemas"]["OperatorAction"][];
            /** @description What can be done to the order now, and what that will do */
            verbs: components["schemas"]["VerbPreview"][];
            /** @description All that happened, by time: steps, waits, calls, commits, callbacks */
            axis: components["schemas"]["AxisSpan"][];
            /** @description Of the trace of its checkout, where tracing is on */
            traceId?: string;
            /** @description Where people look at it (TRACE_URL) */
            traceUrl?: string;
        };
        /** @description One thing that a verb will do to money, stock or an order */
        Effect: {
            /**
             * @example refund
             * @enum {string}
             */
            kind: "ask" | "charge" | "authorize" | "capture" | "void" | "refund" | "keep" | "hold" | "take" | "release" | "leave-hold" | "restock" | "hold-credit" | "return-credit" | "create" | "confirm" | "reject" | "cancel" | "send" | "run";
            /**
             * @description In minor units
             * @example 1999
             */
            amount?: number;
            /** @example EUR */
            currency?: string;
            /** @description The amount is a bound: the provider’s answer decides */
            isUpTo?: boolean;
            lines?: {
                sku: string;
                quantity: number;
            }[];
            /** @description What is sent or run */
            what?: string;
            /** @description Of how many subjects */
            count?: number;
        };
        EraseCustomer: {
            /** @example request of 12 May, ticket 4711 */
            reason: string;
            /**
             * Format: email
             * @description Also erases the orders of this address, which may have been made without a customer id
             */
            email?: string;
        };
        Erasure: {
            /** Format: uuid */
            id: string;
            /** @description Orders that name nobody any more; their lines, amounts and payments are kept */
            orders: number;
            reservations: number;
            /** @description Orders that are still under way: erase again when they have ended */
            openOrders: number;
            /** @description Accounts with money in them, which stay the customer’s: pay it out, then erase again */
            openAccounts: number;
            /** Format: date-time */
            erasedAt: string;
        };
        /**
         * @example {
         *       "reservationId": "0199c8f0-6b2f-7d4c-8e3f-5a7b9c1d2e3f"
         *     }
         */
        ExpireRequest: {
            /** Format: uuid */
            reservationId: string;
        };
        /** @description The reservation cannot be extended further */
        ExtensionLimitProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "EXTENSION_LIMIT";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** Format: uuid */
            reservationId: string;
            maxExtensionSeconds: number;
            /** @description How much further it can be extended */
            remainingSeconds: number;
        };
        /**
         * @example {
         *       "seconds": 300
         *     }
         */
        ExtensionRequest: {
            seconds: number;
        };
        /** @description The key does not allow this */
        ForbiddenProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 403;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "FORBIDDEN";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        GiftCard: {
            /** Format: uuid */
            accountId: string;
            /**
             * @description Shown here and never again
             * @example 7KQ2M-9XH4T-PV3C8-ZN6WD
             */
            code: string;
        };
        /**
         * @example {
         *       "amount": 5000,
         *       "currency": "EUR"
         *     }
         */
        GiftCardRequest: {
            /** @description In minor units */
            amount: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
        };
        HeldLock: {
            /** @example inventory:reserve:demo-mug */
            key: string;
            /**
             * @description The instance and the number of its request
             * @example 3f9a1c0e7b2d.4f
             */
            owner: string;
            /**
             * @description Milliseconds since it was acquired
             * @example 12
             */
            ageMs: number;
            /**
             * @description Milliseconds until it expires unless it is renewed
             * @example 9988
             */
            ttlMs: number;
            /**
             * @description Other instances that wait, and requests that wait inside the instance that answers
             * @example 0
             */
            waiters: number;
        };
        HeldLocks: {
            items: components["schemas"]["HeldLock"][];
        };
        HotSku: {
            sku: string;
            name: string;
            available: number;
            held: number;
            /** @description That wanted it */
            orders: number;
            soldUnits: number;
            soldPerMinute: number;
            /** @description Orders that did not get it: declined, sold out, given up */
            refused: number;
            /** @description In milliseconds; null if nothing was counted */
            lockWaitP99Ms: number | null;
            /** @description At this pace; 0 if it is sold out, null if none was sold */
            sellsOutInSeconds: number | null;
        };
        HotSkus: {
            /** @description How far back the orders go that were looked at, at most 2,000 */
            seconds: number;
            items: components["schemas"]["HotSku"][];
        };
        /** @description A request with this key is in progress */
        IdempotencyInProgressProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "IDEMPOTENCY_IN_PROGRESS";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description Seconds, as in Retry-After */
            retryAfter?: number;
        };
        /** @description An Idempotency-Key header is required */
        IdempotencyKeyMissingProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 400;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "IDEMPOTENCY_KEY_MISSING";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        /** @description The key was used for another request */
        IdempotencyKeyReusedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 422;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "IDEMPOTENCY_KEY_REUSED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        InstanceView: {
            id: string;
            host: string;
            pid: number;
            release: string;
            /** @enum {string} */
            state: "READY" | "DEGRADED" | "UNAVAILABLE" | "DRAINING";
            /** @description It has not written its heartbeat for long: its sagas are taken over */
            isSilent: boolean;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            seenAt: string;
            /** @description That it drives under a lease */
            sagas: number;
            /** @description That it holds */
            locks: number;
            perSecond: number;
            breaker: ("closed" | "returning" | "open") | null;
        };
        /** @description Not enough credit */
        InsufficientCreditProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "INSUFFICIENT_CREDIT";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description What would have been needed */
            required: number;
            /** @description What is there and not held */
            available: number;
        };
        /** @description Something went wrong on our side */
        InternalErrorProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 500;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "INTERNAL_ERROR";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
        };
        /** @description The signature is not valid */
        InvalidSignatureProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 400;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "INVALID_SIGNATURE";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        /** @description The state does not allow this */
        InvalidStateProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "INVALID_STATE";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description The state that does not allow it */
            state?: string;
            /** Format: uuid */
            reservationId?: string;
            saleId?: string;
            /** @description Of a SKU: whose currency cannot change */
            sku?: string;
            /** @description Of a SKU: how many units are reserved */
            reserved?: number;
            /** @description Of a coupon: which cannot be limited to less than it has */
            coupon?: string;
            redeemed?: number;
            held?: number;
            /** @description Of an account: whose currency cannot change */
            accountId?: string;
        };
        InvariantCheck: {
            /** @example reserved-equals-held-lines */
            name: string;
            ok: boolean;
            /**
             * @description At most 100, each with its problem in words
             * @example []
             */
            violations: {
                problem?: string;
            }[];
        };
        InvariantHistory: {
            items: components["schemas"]["InvariantInterval"][];
            nextCursor: string | null;
        };
        InvariantInterval: {
            /** Format: uuid */
            id: string;
            /** @example reserved-equals-held */
            name: string;
            ok: boolean;
            /**
             * @description Violations, at most 100 counted
             * @example 0
             */
            count: number;
            /** @description The first 20 */
            violations: {
                problem?: string;
            }[];
            /** Format: date-time */
            firstAt: string;
            /**
             * Format: date-time
             * @description When a check last had this result
             */
            lastAt: string;
            /**
             * @description How many checks had this result
             * @example 1440
             */
            rounds: number;
        };
        InvariantReport: {
            ok: boolean;
            checks: components["schemas"]["InvariantCheck"][];
        };
        /** @description The hold that is left to the customer, as it stood then: a new checkout with its id buys it */
        KeptReservation: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            expiresAt: string;
            /** @description Of a hold that the checkout made (`holdOnDecline`) */
            accessToken?: string;
        };
        /** @description No more of it for this customer */
        LimitExceededProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "LIMIT_EXCEEDED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            saleId?: string;
            /** @description Which customers may have only so many of */
            sku?: string;
            requested?: number;
            /** @description How many more the customer may have */
            available?: number;
        };
        /** @description A line with its price, frozen when it was reserved or ordered */
        Line: {
            /** @example demo-mug */
            sku: string;
            /** @example Mug */
            name: string;
            /** @example 1 */
            quantity: number;
            /**
             * @description In minor units
             * @example 1250
             */
            unitAmount: number;
            /**
             * @description In minor units
             * @example 1250
             */
            amount: number;
        };
        /** @description What is wanted. Lines of one SKU are merged. */
        LineRequest: {
            /** @example demo-mug */
            sku: string;
            /** @example 1 */
            quantity: number;
        };
        ListedOperatorAction: {
            /** Format: uuid */
            id: string;
            /**
             * @example retry
             * @enum {string}
             */
            verb: "retry" | "compensate" | "resolve" | "refund" | "cancel" | "capture" | "replay" | "discard" | "adjust" | "erase" | "start" | "stop" | "create" | "change" | "pause" | "resume" | "end";
            /**
             * @example saga
             * @enum {string}
             */
            subjectKind: "saga" | "order" | "sku" | "callback" | "delivery" | "dead-letter" | "customer" | "bulk-run" | "sale";
            subject: string;
            /**
             * @description The client of the API key, or the job that acted
             * @example admin
             */
            actor: string;
            /** @example the provider is back */
            reason: string;
            detail: {
                [key: string]: unknown;
            };
            /** @description The bulk run that it was part of */
            runId: string | null;
            /** Format: date-time */
            at: string;
            orderId: string | null;
        };
        Liveness: {
            /** @enum {string} */
            status: "live";
        };
        /** @description The resource is busy */
        LockTimeoutProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 503;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "LOCK_TIMEOUT";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description Seconds, as in Retry-After */
            retryAfter?: number;
        };
        /** @description What the customer has to do before the payment can go on (3-D Secure) */
        NextAction: {
            /** @enum {string} */
            type: "redirect_to_url";
            url: string;
        } | {
            /** @enum {string} */
            type: "use_stripe_sdk";
            clientSecret: string;
        };
        /** @description There is nothing here */
        NotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        OperatorAction: {
            /** Format: uuid */
            id: string;
            /**
             * @example retry
             * @enum {string}
             */
            verb: "retry" | "compensate" | "resolve" | "refund" | "cancel" | "capture" | "replay" | "discard" | "adjust" | "erase" | "start" | "stop" | "create" | "change" | "pause" | "resume" | "end";
            /**
             * @example saga
             * @enum {string}
             */
            subjectKind: "saga" | "order" | "sku" | "callback" | "delivery" | "dead-letter" | "customer" | "bulk-run" | "sale";
            subject: string;
            /**
             * @description The client of the API key, or the job that acted
             * @example admin
             */
            actor: string;
            /** @example the provider is back */
            reason: string;
            detail: {
                [key: string]: unknown;
            };
            /** @description The bulk run that it was part of */
            runId: string | null;
            /** Format: date-time */
            at: string;
        };
        OperatorActionPage: {
            items: components["schemas"]["ListedOperatorAction"][];
            nextCursor: string | null;
        };
        Order: {
            /** Format: uuid */
            id: string;
            /**
             * @example CONFIRMED
             * @enum {string}
             */
            state: "PENDING" | "CONFIRMED" | "REJECTED" | "CANCELLED";
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description What is owed for the goods, after discounts
             * @example 1250
             */
            total: number;
            /** @description How the amount due comes about: items, discounts and credit add up to `amountDue` */
            totals: components["schemas"]["TotalLine"][];
            /**
             * @description What the card pays: the total without what credit pays
             * @example 1250
             */
            amountDue: number;
            lines: components["schemas"]["Line"][];
            /** @description What store credit and gift cards pay, and what of it was given back to them */
            credit?: {
                /**
                 * @description In minor units
                 * @example 1250
                 */
                amount: number;
                /**
                 * @description In minor units
                 * @example 0
                 */
                refundedAmount: number;
            };
            customer: {
                id?: string;
                email?: string;
            };
            /** @description None before the payment was begun */
            payment: components["schemas"]["Payment"] | null;
            /** @description None where nothing could be reserved */
            reservation: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /**
                 * Format: date-time
                 * @example 2026-11-15T10:00:00.000Z
                 */
                expiresAt: string;
            } | null;
            /** Format: uuid */
            sagaId: string;
            rejection?: components["schemas"]["Rejection"];
            nextAction?: components["schemas"]["NextAction"];
            /**
             * @description Opened by a browser’s EventSource without any header: holds a token for this order’s events, valid for an hour
             * @example https://checkout.example/v1/orders/0199c8f0-5a1e-7c3b-9d2e-4f6a8b0c1d2e/events?token=1763380800.x
             */
            eventsUrl: string;
            /** @example {} */
            metadata: {
                [key: string]: string | number | boolean | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
        };
        OrderCancelledEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.cancelled";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
            };
        };
        OrderConfirmedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.confirmed";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** @description In minor units */
                total: number;
                /** @description Where there are discounts or credit: they add up to amountDue */
                totals?: {
                    type: string;
                    label: string;
                    amount: number;
                }[];
                /** @description Where there are discounts or credit: what the card pays */
                amountDue?: number;
                /** @example EUR */
                currency: string;
                customer: {
                    id?: string;
                    email?: string;
                };
                lines: {
                    sku: string;
                    quantity: number;
                    name: string;
                    /** @description In minor units */
                    unitAmount: number;
                    /** @description In minor units */
                    amount: number;
                }[];
            };
        };
        /** @description The order does not exist */
        OrderNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "ORDER_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        OrderPage: {
            items: components["schemas"]["Order"][];
            nextCursor: string | null;
        };
        OrderRejectedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "order.rejected";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** @description As in the order: members of the problem that refused it */
                rejection: {
                    code: string;
                    detail: string;
                };
            };
        };
        OrderStateUpdate: {
            /** Format: uuid */
            id: string;
            state: components["schemas"]["Order"]["state"];
            /** @description None before the payment was begun */
            payment: {
                state: components["schemas"]["Payment"]["state"];
                capturedAmount: number;
                refundedAmount: number;
            } | null;
            rejection?: components["schemas"]["Rejection"];
            nextAction?: components["schemas"]["NextAction"];
        };
        OrderStreamMessage: {
            /** @enum {string} */
            event: "order.state";
            /** Format: uuid */
            id?: string;
            data: components["schemas"]["OrderStateUpdate"];
        } | {
            /** @enum {string} */
            event: "order.confirmed" | "order.rejected" | "order.cancelled" | "payment.authorized" | "payment.authorization_expiring" | "payment.authorization_expired" | "payment.captured" | "payment.declined" | "payment.voided" | "payment.disputed" | "payment.dispute_closed" | "refund.settled" | "refund.failed" | "reservation.expired" | "saga.stuck" | "command.dead_lettered";
            /**
             * Format: uuid
             * @description Sent back as Last-Event-ID by a client that reconnects
             */
            id: string;
            data: components["schemas"]["DomainEvent"];
        };
        /** @description Not enough stock */
        OutOfStockProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "OUT_OF_STOCK";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description What is missing */
            shortages: {
                sku: string;
                requested: number;
                available: number;
            }[];
        };
        /** @description The service as it is now, over all instances */
        Overview: {
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            at: string;
            /** @description No money moves, and faults can be switched on; never in production */
            isSandbox: boolean;
            rates: {
                seconds: number;
                /**
                 * @description Checkouts per second by what they came to
                 * @example {
                 *       "confirmed": 12.4,
                 *       "declined": 0.6
                 *     }
                 */
                perSecond: {
                    [key: string]: number;
                };
                total: number;
            };
            latency: {
                /** @description In milliseconds; null if nothing was counted */
                p50Ms: number | null;
                /** @description In milliseconds; null if nothing was counted */
                p95Ms: number | null;
                /** @description In milliseconds; null if nothing was counted */
                p99Ms: number | null;
            };
            /** @description The last ten minutes, of all instances, the oldest first */
            series: components["schemas"]["OverviewPoint"][];
            sagas: {
                RUNNING: number;
                WAITING: number;
                COMPENSATING: number;
                STUCK: number;
                /** @description That nobody has driven for a minute past their lease or deadline */
                overdue: number;
            };
            inDoubt: {
                count: number;
                oldestAt: string | null;
            };
            stock: {
                heldUnits: number;
                heldSkus: number;
                soldOutSkus: number;
            };
            locks: {
                /** @example postgres */
                driver: string;
                /**
                 * @description The worst of all instances
                 * @enum {string}
                 */
                breaker: "closed" | "returning" | "open";
                held: number;
                waiters: number;
                /** @description In milliseconds; null if nothing was counted */
                waitP99Ms: number | null;
                /** @description In the same time as the rates */
                timeouts: number;
            };
            queues: {
                callbacks: {
                    waiting: number;
                    oldestSeconds: number;
                };
                events: {
                    waiting: number;
                    oldestSeconds: number;
                };
                deliveries: {
                    waiting: number;
                    oldestSeconds: number;
                    dead: number;
                };
            };
            instances: components["schemas"]["InstanceView"][];
            /** @description That run now */
            bulkRuns: number;
        };
        OverviewPoint: {
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            at: string;
            /**
             * @description Checkouts per second by what they came to
             * @example {
             *       "confirmed": 12.4,
             *       "declined": 0.6
             *     }
             */
            perSecond: {
                [key: string]: number;
            };
            /** @description In milliseconds; null if nothing was counted */
            p50Ms: number | null;
            /** @description In milliseconds; null if nothing was counted */
            p99Ms: number | null;
        };
        /** @description The request is too large */
        PayloadTooLargeProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 413;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "PAYLOAD_TOO_LARGE";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        Payment: {
            /** Format: uuid */
            id: string;
            /**
             * @example CAPTURED
             * @enum {string}
             */
            state: "PENDING" | "REQUIRES_ACTION" | "IN_DOUBT" | "AUTHORIZED" | "CAPTURED" | "DECLINED" | "REFUNDED" | "VOIDED" | "EXPIRED";
            /**
             * @description What the card pays: charged at once, or authorised first
             * @example 1250
             */
            amount: number;
            /**
             * @description What was taken: less than the amount where an authorisation was captured in part, 0 before that
             * @example 1250
             */
            capturedAmount: number;
            /**
             * @description In minor units
             * @example 0
             */
            refundedAmount: number;
            /**
             * Format: date-time
             * @description Of an AUTHORIZED payment: it has to be captured before then
             * @example 2026-11-15T10:00:00.000Z
             */
            authorizedUntil?: string;
            /**
             * @description Paid back as store credit instead of to the card
             * @example 1250
             */
            creditedAmount?: number;
            /**
             * @description None where nothing was left for a card to pay
             * @example pm_card_visa
             */
            method: string | null;
            dispute?: components["schemas"]["Dispute"];
        };
        PaymentAuthorizationExpiredEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.authorization_expired";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
            };
        };
        PaymentAuthorizationExpiringEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.authorization_expiring";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
                /** Format: date-time */
                authorizedUntil: string;
            };
        };
        PaymentAuthorizedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.authorized";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
                /** Format: date-time */
                authorizedUntil: string;
            };
        };
        PaymentCapturedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.captured";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description What was taken: a part of the amount due, where only a part was captured */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
            };
        };
        PaymentDeclinedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.declined";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
                declineCode: string;
            };
        };
        /** @description The payment was declined */
        PaymentDeclinedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 402;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "PAYMENT_DECLINED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** @description The provider’s reason */
            declineCode: string;
        };
        PaymentDetail: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "PENDING" | "REQUIRES_ACTION" | "IN_DOUBT" | "AUTHORIZED" | "CAPTURED" | "DECLINED" | "REFUNDED" | "VOIDED" | "EXPIRED";
            provider: string;
            transactionId: string | null;
            /**
             * @description In minor units
             * @example 1250
             */
            amount: number;
            /** @description Of an authorisation: what was captured of it; null where all was charged at once */
            capturedAmount: number | null;
            /** @description When the authorisation ends or ended; null where there is none any more */
            authorizedUntil: string | null;
            /**
             * @description Of refunds that were asked for, settled or not
             * @example 1250
             */
            refundReserved: number;
            /**
             * @description In minor units
             * @example 1250
             */
            refundedAmount: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            method: string;
            declineCode: string | null;
            dispute: components["schemas"]["Dispute"] | null;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
        };
        PaymentDisputeClosedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.dispute_closed";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
                disputeId: string;
                /** @description The bank’s, in the provider’s words */
                reason: string;
                /**
                 * Format: date-time
                 * @description Until when the shop may answer
                 */
                respondBy?: string;
                /** @enum {string} */
                outcome: "WON" | "LOST" | "CLOSED";
            };
        };
        PaymentDisputedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.disputed";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
                disputeId: string;
                /** @description The bank’s, in the provider’s words */
                reason: string;
                /**
                 * Format: date-time
                 * @description Until when the shop may answer
                 */
                respondBy?: string;
            };
        };
        PaymentVoidedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payment.voided";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                paymentId: string;
                /** @description In minor units */
                amount: number;
                /** @example EUR */
                currency: string;
                transactionId: string;
            };
        };
        /** @description The resource has changed */
        PreconditionFailedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 412;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "PRECONDITION_FAILED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** @description The version that it is at now */
            version?: number;
        };
        /** @description The price has changed */
        PriceChangedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "PRICE_CHANGED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** @description What it costs now */
            quote: {
                lines: {
                    sku: string;
                    name: string;
                    quantity: number;
                    unitAmount: number;
                    amount: number;
                }[];
                total: number;
                currency: string;
            };
        };
        Quote: {
            lines: components["schemas"]["QuotedLine"][];
            /**
             * @description What is owed for the goods, after discounts
             * @example 1250
             */
            total: number;
            /** @description How the amount due comes about: items, discounts and credit add up to `amountDue` */
            totals: components["schemas"]["TotalLine"][];
            /**
             * @description What a card would pay, unless credit pays a part
             * @example 1250
             */
            amountDue: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /** @description Whether all of it could be had now */
            available: boolean;
        };
        /**
         * @example {
         *       "currency": "EUR",
         *       "lines": [
         *         {
         *           "sku": "demo-mug",
         *           "quantity": 2
         *         },
         *         {
         *           "sku": "demo-shirt",
         *           "quantity": 1
         *         }
         *       ]
         *     }
         */
        QuoteRequest: {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            lines: components["schemas"]["LineRequest"][];
            /**
             * @description Coupons to redeem: percentages first, then amounts
             * @example [
             *       "SAVE10"
             *     ]
             */
            coupons?: string[];
        };
        /** @description A line with its present price and stock */
        QuotedLine: {
            /** @example demo-mug */
            sku: string;
            /** @example Mug */
            name: string;
            /** @example 1 */
            quantity: number;
            /**
             * @description In minor units
             * @example 1250
             */
            unitAmount: number;
            /**
             * @description In minor units
             * @example 1250
             */
            amount: number;
            /**
             * @description Units that could be had now
             * @example 996
             */
            available: number;
        };
        /** @description Too many requests */
        RateLimitedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 429;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "RATE_LIMITED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** @description Seconds, as in Retry-After */
            retryAfter?: number;
        };
        /**
         * @example {
         *       "status": "ready",
         *       "checks": {
         *         "database": {
         *           "state": "up"
         *         },
         *         "migrations": {
         *           "state": "up"
         *         }
         *       }
         *     }
         */
        Readiness: {
            /** @enum {string} */
            status: "ready" | "degraded" | "unavailable";
            checks: {
                [key: string]: {
                    /** @enum {string} */
                    state: "up" | "degraded" | "down";
                    detail?: string;
                };
            };
        };
        Refund: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            orderId: string;
            /**
             * @example SETTLED
             * @enum {string}
             */
            state: "PENDING" | "IN_DOUBT" | "SETTLED" | "FAILED";
            /** @description Not known yet where all of it was asked for and is under way */
            amount: number | null;
            /**
             * @description Of the amount: what has gone to accounts, at once
             * @example 1250
             */
            credited?: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency?: string;
            reason: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
        };
        RefundDetail: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "PENDING" | "IN_DOUBT" | "SETTLED" | "FAILED";
            /**
             * @description In minor units
             * @example 1250
             */
            amount: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            reason: string;
            attempt: number;
            providerRefundId: string | null;
            failure: string | null;
            /** @description How often the provider took it back after it had settled */
            lateFailures: number;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description The refund exceeds what was captured */
        RefundExceedsCapturedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "REFUND_EXCEEDS_CAPTURED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** Format: uuid */
            orderId?: string;
            captured?: number;
            /** @description What can still be refunded */
            refundable?: number;
        };
        RefundFailedEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refund.failed";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                refundId: string;
                /** @description In minor units */
                amount: number;
                reason: string;
            };
        };
        /**
         * @example {
         *       "amount": 500,
         *       "reason": "arrived with a scratch"
         *     }
         */
        RefundRequest: {
            /** @description In minor units; all that is left unless told */
            amount?: number;
            reason: string;
            /**
             * @description At once to the customer’s account, in place of the card: the first that the customer has in this currency, or the one that paid a part of the order
             * @enum {string}
             */
            to?: "credit";
        };
        RefundSettledEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refund.settled";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                orderId: string;
                /** Format: uuid */
                refundId: string;
                /** @description In minor units */
                amount: number;
                /**
                 * @description It went to an account, not to the card
                 * @constant
                 */
                to?: "credit";
            };
        };
        /**
         * @description Why a REJECTED order was rejected: code and members of the problem that refused the checkout
         * @example {
         *       "code": "PAYMENT_DECLINED",
         *       "detail": "The payment was declined",
         *       "declineCode": "insufficient_funds"
         *     }
         */
        Rejection: {
            code: string;
            detail: string;
            /** @description With PAYMENT_DECLINED: the provider’s reason */
            declineCode?: string;
            /** @description With OUT_OF_STOCK: what was missing */
            shortages?: {
                sku: string;
                requested: number;
                available: number;
            }[];
            reservation?: components["schemas"]["KeptReservation"];
        };
        Reservation: {
            /** Format: uuid */
            id: string;
            /**
             * @example HELD
             * @enum {string}
             */
            state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * Format: date-time
             * @description Until then the stock is kept
             * @example 2026-11-15T10:00:00.000Z
             */
            expiresAt: string;
            lines: components["schemas"]["Line"][];
            /**
             * @description What is owed for the goods, after discounts
             * @example 1250
             */
            total: number;
            /** @description How the amount due comes about: items, discounts and credit add up to `amountDue` */
            totals: components["schemas"]["TotalLine"][];
            /**
             * @description What a card would pay, unless credit pays a part
             * @example 1250
             */
            amountDue: number;
            /**
             * @description Which of the alternatives is held, from 0
             * @example 0
             */
            alternative: number;
        };
        ReservationExpiredEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reservation.expired";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                reservationId: string;
                orderId: string | null;
                /** Format: date-time */
                expiresAt: string;
                lines: {
                    sku: string;
                    quantity: number;
                }[];
            };
        };
        /** @description The reservation has ended */
        ReservationExpiredProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 410;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "RESERVATION_EXPIRED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            /** Format: uuid */
            reservationId: string;
            /**
             * Format: date-time
             * @description When it ended
             */
            expiredAt: string;
        };
        /**
         * @example {
         *       "lines": [
         *         {
         *           "sku": "cinema:show:12345:seat:B4",
         *           "quantity": 1
         *         },
         *         {
         *           "sku": "cinema:show:12345:seat:B5",
         *           "quantity": 1
         *         }
         *       ]
         *     }
         */
        ReservationLinesRequest: {
            lines: components["schemas"]["LineRequest"][];
        };
        /** @description The reservation does not exist */
        ReservationNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "RESERVATION_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /**
             * Format: uuid
             * @description The order that was left behind
             */
            orderId?: string;
            /** @description Opens that order: send it in X-Access-Token */
            accessToken?: string;
            /** @description The hold that is left to the customer, to be bought with another card */
            reservation?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "HELD" | "COMMITTED" | "RELEASED" | "EXPIRED";
                /** Format: date-time */
                expiresAt: string;
                /** @description Of a hold that the checkout made (`holdOnDecline`) */
                accessToken?: string;
            };
            reservationId?: string;
        };
        /**
         * @example {
         *       "currency": "EUR",
         *       "alternatives": [
         *         [
         *           {
         *             "sku": "cinema:show:12345:seat:B4",
         *             "quantity": 1
         *           },
         *           {
         *             "sku": "cinema:show:12345:seat:B5",
         *             "quantity": 1
         *           }
         *         ],
         *         [
         *           {
         *             "sku": "cinema:show:12345:seat:C4",
         *             "quantity": 1
         *           },
         *           {
         *             "sku": "cinema:show:12345:seat:C5",
         *             "quantity": 1
         *           }
         *         ]
         *       ]
         *     }
         */
        ReservationRequest: {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description Coupons to redeem: percentages first, then amounts
             * @example [
             *       "SAVE10"
             *     ]
             */
            coupons?: string[];
            lines: components["schemas"]["LineRequest"][];
        } | {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description Coupons to redeem: percentages first, then amounts
             * @example [
             *       "SAVE10"
             *     ]
             */
            coupons?: string[];
            /** @description In place of lines: the first that can be held whole is held */
            alternatives: components["schemas"]["LineRequest"][][];
        } | {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * @description Coupons to redeem: percentages first, then amounts
             * @example [
             *       "SAVE10"
             *     ]
             */
            coupons?: string[];
            /**
             * @description In place of lines: the best seats of a group that can be had, in the first row that has room, as near to its middle as possible. The seats say where they are by their `row` and `number`.
             * @example {
             *       "group": "cinema:show:12345",
             *       "quantity": 2,
             *       "adjacent": true
             *     }
             */
            bestAvailable: {
                /** @example demo-mug */
                group: string;
                quantity: number;
                /** @description `true`: side by side or not at all. Otherwise side by side if possible. */
                adjacent?: boolean;
            };
        };
        Saga: {
            /** Format: uuid */
            id: string;
            /** @example checkout */
            name: string;
            /** @example 1 */
            version: number;
            /**
             * @example COMPLETED
             * @enum {string}
             */
            state: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
            /** @description What it is about: an order */
            subject: string;
            /**
             * @description The step it is at, from 0
             * @example 3
             */
            position: number;
            /**
             * @example end
             * @enum {string}
             */
            phase: "execute" | "call" | "undo" | "undo-call" | "end";
            /**
             * @description Failed attempts at the present step
             * @example 0
             */
            attempts: number;
            failure: {
                code: string;
                detail: string;
            } | null;
            /** @description The instance that drives it */
            owner: string | null;
            /**
             * @description Grows with every change of owner
             * @example 1
             */
            epoch: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            log: components["schemas"]["SagaLogEntry"][];
            /** @description Of the trace that it is part of, where tracing was on */
            traceId?: string;
            /**
             * Format: date-time
             * @description When another instance takes it over, or its wait ends
             */
            dueAt: string;
            audit: components["schemas"]["SagaAuditEntry"][];
        };
        SagaAuditEntry: {
            /** @enum {string} */
            verb: "retry" | "compensate" | "resolve";
            actor: string;
            reason: string;
            /** @enum {string} */
            fromState: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
            /** @enum {string} */
            toState: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
            /** Format: date-time */
            at: string;
        };
        SagaLogEntry: {
            /** @example reserve-inventory */
            step: string;
            /** @enum {string} */
            phase: "execute" | "call" | "undo" | "undo-call" | "end";
            /** @enum {string} */
            result: "done" | "prepared" | "failed" | "suspended" | "retried" | "in-doubt" | "stuck";
            /** Format: date-time */
            at: string;
            attempt?: number;
            ms?: number;
            lockWaitMs?: number;
            /** @description How long the other side took to answer */
            callMs?: number;
            /** @description The instance that drove it from this line on */
            by?: string;
            error?: string;
        };
        /** @description The saga does not exist */
        SagaNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "SAGA_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        SagaPage: {
            items: components["schemas"]["SagaSummary"][];
            nextCursor: string | null;
        };
        SagaStuckEvent: {
            /**
             * Format: uuid
             * @description The same however often it is delivered: drop what you have seen
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "saga.stuck";
            /** @description What it is about, and the unit of ordering: an order, or a reservation */
            subject: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            occurredAt: string;
            data: {
                /** Format: uuid */
                sagaId: string;
                saga: string;
                failure: {
                    code: string;
                    detail: string;
                } | null;
            };
        };
        SagaSummary: {
            /** Format: uuid */
            id: string;
            /** @example checkout */
            name: string;
            /** @example 1 */
            version: number;
            /**
             * @example COMPLETED
             * @enum {string}
             */
            state: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
            /** @description What it is about: an order */
            subject: string;
            /**
             * @description The step it is at, from 0
             * @example 3
             */
            position: number;
            /**
             * @example end
             * @enum {string}
             */
            phase: "execute" | "call" | "undo" | "undo-call" | "end";
            /**
             * @description Failed attempts at the present step
             * @example 0
             */
            attempts: number;
            failure: {
                code: string;
                detail: string;
            } | null;
            /** @description The instance that drives it */
            owner: string | null;
            /**
             * @description Grows with every change of owner
             * @example 1
             */
            epoch: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Sale: {
            /** @example noon */
            id: string;
            /** @enum {string} */
            state: "SCHEDULED" | "RUNNING" | "PAUSED" | "SOLD_OUT" | "ENDED";
            group?: string;
            skus?: string[];
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            startsAt: string;
            endsAt: string | null;
            admitPerSecond: number;
            maxActive: number;
            ticketTtlSeconds: number;
            tickets: {
                /** @description Given out */
                issued: number;
                /** @description Not called yet */
                waiting: number;
                /** @description Called so far */
                admitted: number;
                /** @description Of those, who may still buy */
                active: number;
                /** @description Of those, who have bought */
                bought: number;
            };
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description The sale does not exist */
        SaleNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "SALE_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            saleId?: string;
        };
        SalePage: {
            items: components["schemas"]["Sale"][];
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "group": "cinema:show:12345",
         *       "startsAt": "2026-11-15T12:00:00Z",
         *       "admitPerSecond": 10,
         *       "maxActive": 100,
         *       "ticketTtlSeconds": 300
         *     }
         */
        SaleRequest: {
            /**
             * @description What is sold: all SKUs of a group
             * @example demo-mug
             */
            group?: string;
            /** @description In place of a group */
            skus?: string[];
            /**
             * Format: date-time
             * @description Who comes before takes part in the draw
             */
            startsAt: string;
            /** @description From then on nobody needs a ticket */
            endsAt?: string | null;
            /** @example 10 */
            admitPerSecond: number;
            /**
             * @description How many may be called and not finished at once
             * @example 100
             */
            maxActive: number;
            /**
             * @description How long somebody who was called may buy
             * @example 300
             */
            ticketTtlSeconds: number;
            /** @description Why it is set up or changed, for the audit trail */
            reason?: string;
        };
        SaleTicket: {
            /** Format: uuid */
            id: string;
            /** @example noon */
            saleId: string;
            /** @enum {string} */
            state: "WAITING" | "ADMITTED" | "EXPIRED" | "SOLD_OUT";
            /** @description Who is next has 1, who was called 0. Before the start the order of arrival, which the draw replaces. */
            position: number;
            /** @description By the rate of admission alone */
            estimatedWaitSeconds: number;
            /**
             * Format: date-time
             * @description Until then it can be used
             * @example 2026-11-15T10:00:00.000Z
             */
            admittedUntil?: string;
            /**
             * Format: uuid
             * @description What it is used up for, while that is held or bought
             */
            reservationId?: string;
            /** @description Server-sent events of this ticket, for an `EventSource`: needs no headers */
            eventsUrl: string;
        };
        /**
         * @default {
         *       "customer": {}
         *     }
         * @example {
         *       "customer": {
         *         "email": "ada@example.com"
         *       }
         *     }
         */
        SaleTicketRequest: {
            /** @description Default: `{}`. */
            customer?: {
                id?: string;
                /** Format: email */
                email?: string;
            };
        };
        SaleView: {
            /** @example noon */
            id: string;
            /** @enum {string} */
            state: "SCHEDULED" | "RUNNING" | "PAUSED" | "SOLD_OUT" | "ENDED";
            group?: string;
            skus?: string[];
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            startsAt: string;
            endsAt: string | null;
            admitPerSecond: number;
            maxActive: number;
            ticketTtlSeconds: number;
            tickets: {
                /** @description Given out */
                issued: number;
                /** @description Not called yet */
                waiting: number;
                /** @description Called so far */
                admitted: number;
                /** @description Of those, who may still buy */
                active: number;
                /** @description Of those, who have bought */
                bought: number;
            };
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            updatedAt: string;
            /** @description Who did what to it, newest first; for admins */
            audit?: {
                verb: string;
                actor: string;
                detail: {
                    [key: string]: unknown;
                };
                /**
                 * Format: date-time
                 * @example 2026-11-15T10:00:00.000Z
                 */
                createdAt: string;
            }[];
        };
        SandboxCharge: {
            id: string;
            orderId: string;
            /**
             * @description In minor units
             * @example 1250
             */
            amount: number;
            /**
             * @description Less than the amount where a part was captured
             * @example 1250
             */
            capturedAmount: number;
            /** @example 0 */
            refundedAmount: number;
            /** @example EUR */
            currency: string;
            /**
             * @description `PENDING`, `AUTHORIZED`, `CAPTURED`, `REFUNDED`, `VOIDED` or `EXPIRED`
             * @example CAPTURED
             */
            state: string;
        };
        SandboxCharges: {
            items: components["schemas"]["SandboxCharge"][];
        };
        SandboxReset: {
            /** @description How many tables were emptied */
            tables: number;
            /** @description How long it took */
            ms: number;
        };
        ScriptedFault: {
            /** @enum {string} */
            operation: "charge" | "capture" | "void" | "refund" | "lookup";
            /** @enum {string} */
            effect: "error" | "error-after" | "timeout" | "timeout-after" | "slow" | "decline";
        };
        SearchHit: {
            /** @enum {string} */
            kind: "order" | "saga" | "sku";
            id: string;
            /** @example 2 × demo-mug, 25.00 EUR */
            title: string;
            state: string | null;
            /** @example Idempotency-Key */
            matchedBy: string;
            at: string | null;
        };
        SearchHits: {
            items: components["schemas"]["SearchHit"][];
            /** @description What could not be looked up, in words */
            notes: string[];
        };
        Service: {
            /** @enum {string} */
            name: "checkout-saga";
            /** @example 0.1.0 */
            version: string;
            /** @example /openapi.json */
            openapi: string;
            /** @example /docs */
            documentation: string;
            /** @example /health/ready */
            readiness: string;
            /**
             * @description Where it is served
             * @example /shop
             */
            shop?: string;
            /**
             * @description Where it is served
             * @example /console
             */
            console?: string;
        };
        Sku: {
            /** @example demo-mug */
            sku: string;
            /** @example Mug */
            name: string;
            /**
             * @description In minor units
             * @example 1250
             */
            unitAmount: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /** @example demo */
            group: string | null;
            /**
             * @description Of a seat
             * @example B
             */
            row?: string;
            /**
             * @description Of a seat, within its row
             * @example 4
             */
            number?: number;
            /**
             * @description How many one customer may have
             * @example 2
             */
            maxPerCustomer?: number;
            /**
             * @description Units that are there
             * @example 1000
             */
            onHand: number;
            /**
             * @description Of those, held by somebody
             * @example 4
             */
            reserved: number;
            /**
             * @description onHand − reserved
             * @example 996
             */
            available: number;
            /**
             * @description Of the catalogue data; what If-Match compares
             * @example 1
             */
            version: number;
        };
        /** @description The SKU does not exist */
        SkuNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "SKU_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** @description The unknown ones */
            skus: string[];
        };
        SkuPage: {
            items: components["schemas"]["Sku"][];
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "name": "Mug",
         *       "unitAmount": 1250,
         *       "currency": "EUR",
         *       "group": "demo",
         *       "onHand": 1000
         *     }
         */
        SkuRequest: {
            name: string;
            /** @description In minor units */
            unitAmount: number;
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            group?: string | null;
            /**
             * @description Of a seat
             * @example B
             */
            row?: string | null;
            /**
             * @description Of a seat, within its row: adjacent numbers are side by side
             * @example 4
             */
            number?: number | null;
            /** @description How many one customer may have, over all orders that are held or confirmed */
            maxPerCustomer?: number | null;
            /** @description The stock of a new SKU; ignored for one that exists: use an adjustment */
            onHand?: number;
        };
        /** @description The stock cannot fall below what is reserved */
        StockBelowReservedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 409;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "STOCK_BELOW_RESERVED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            sku: string;
            onHand: number;
            reserved: number;
            delta: number;
        };
        StockMovement: {
            id: number;
            /** @example demo-mug */
            sku: string;
            /**
             * @example ADJUSTMENT
             * @enum {string}
             */
            kind: "INITIAL" | "ADJUSTMENT" | "RESTOCK";
            /** @example 25 */
            delta: number;
            /** @example delivery 4711 */
            reason: string;
            /**
             * @description The client that did it
             * @example admin:back-office
             */
            actor: string;
            /** @description After the movement */
            onHand: number;
            reserved: number;
            available: number;
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            createdAt: string;
        };
        /** @description Steps, holds, gateway calls and callbacks in the order they happened */
        Timeline: {
            items: components["schemas"]["TimelineEntry"][];
        };
        TimelineEntry: {
            /**
             * Format: date-time
             * @example 2026-11-15T10:00:00.000Z
             */
            at: string;
            /** @example payment.captured */
            kind: string;
            detail: {
                [key: string]: unknown;
            };
            /** @description Of the trace that it is part of, where tracing was on */
            traceId?: string;
        };
        TotalLine: {
            /**
             * @example discount
             * @enum {string}
             */
            type: "items" | "discount" | "credit";
            /**
             * @description For people: a coupon’s code, or what kind of credit
             * @example SAVE10
             */
            label: string;
            /**
             * @description In minor units; negative where it is taken off
             * @example -125
             */
            amount: number;
        };
        /** @description A valid key is required */
        UnauthenticatedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 401;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "UNAUTHENTICATED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        /** @description The content type is not supported */
        UnsupportedMediaTypeProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 415;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "UNSUPPORTED_MEDIA_TYPE";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        /** @description The request is not valid */
        ValidationFailedProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 400;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "VALIDATION_FAILED";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
            /** @description Every field that is wrong, up to 20 */
            errors: {
                path: string;
                message: string;
            }[];
        };
        /** @description A verb that is possible now, and what it will do: computed, nothing is done */
        VerbPreview: {
            /** @example retry */
            verb: string;
            /**
             * @description What it will do, in words
             * @example refunds 19.99 EUR, releases 2 × demo-mug, rejects the order
             */
            summary: string;
            effects: components["schemas"]["Effect"][];
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpointId: string;
            /**
             * Format: uuid
             * @description The same for every attempt and every endpoint
             */
            eventId: string;
            /** @example order.confirmed */
            type: string;
            /** @description What the event is about: an order, or a reservation */
            subject: string;
            /**
             * @example DELIVERED
             * @enum {string}
             */
            state: "PENDING" | "RETRYING" | "DELIVERED" | "DEAD";
            /** @example 1 */
            attempts: number;
            /** @example 204 */
            lastStatus: number | null;
            lastError: string | null;
            lastAttemptAt: string | null;
            /** @description Null once it has ended, and while an earlier event of the same subject is not through */
            nextAttemptAt: string | null;
            deliveredAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @description The webhook delivery does not exist */
        WebhookDeliveryNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "WEBHOOK_DELIVERY_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            nextCursor: string | null;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            /** @example https://shop.example.com/hooks */
            url: string;
            /**
             * @example [
             *       "order.confirmed",
             *       "order.rejected"
             *     ]
             */
            events: string[];
            description: string;
            /**
             * @example ENABLED
             * @enum {string}
             */
            state: "ENABLED" | "DISABLED";
            disabledReason?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The webhook endpoint does not exist */
        WebhookEndpointNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "WEBHOOK_ENDPOINT_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        WebhookEndpointPage: {
            items: components["schemas"]["WebhookEndpoint"][];
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "url": "https://shop.example.com/hooks",
         *       "events": [
         *         "order.confirmed",
         *         "order.rejected"
         *       ],
         *       "description": "shop"
         *     }
         */
        WebhookEndpointRequest: {
            url: string;
            /** @description Default: `["*"]`. */
            events?: ("order.confirmed" | "order.rejected" | "order.cancelled" | "payment.authorized" | "payment.authorization_expiring" | "payment.authorization_expired" | "payment.captured" | "payment.declined" | "payment.voided" | "payment.disputed" | "payment.dispute_closed" | "refund.settled" | "refund.failed" | "reservation.expired" | "saga.stuck" | "command.dead_lettered" | "*")[];
            /** @description Default: `""`. */
            description?: string;
        };
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            /** @example https://shop.example.com/hooks */
            url: string;
            /**
             * @example [
             *       "order.confirmed",
             *       "order.rejected"
             *     ]
             */
            events: string[];
            description: string;
            /**
             * @example ENABLED
             * @enum {string}
             */
            state: "ENABLED" | "DISABLED";
            disabledReason?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Signs the deliveries (Standard Webhooks); shown only here */
            secret: string;
        };
        WebhookEvent: {
            /** Format: uuid */
            id: string;
            /** @example sandbox */
            provider: string;
            /** @description The provider’s own id: stored once */
            eventId: string;
            /** @example charge.captured */
            type: string;
            transactionId: string;
            orderId: string | null;
            /**
             * @example PROCESSED
             * @enum {string}
             */
            state: "RECEIVED" | "PROCESSED" | "DEAD";
            /** @example 1 */
            attempts: number;
            /** Format: date-time */
            dueAt: string;
            error: string | null;
            /** Format: date-time */
            receivedAt: string;
            processedAt: string | null;
        };
        /** @description The webhook event does not exist */
        WebhookEventNotFoundProblem: {
            /** @constant */
            type: "about:blank";
            title: string;
            /** @constant */
            status: 404;
            /**
             * @description Stable: branch on this
             * @constant
             */
            code: "WEBHOOK_EVENT_NOT_FOUND";
            /** @description For people; may change */
            detail: string;
            /** @description Names the request in the logs */
            requestId?: string;
            /** @description Names its trace, where tracing is on */
            traceId?: string;
        };
        WebhookEventPage: {
            items: components["schemas"]["WebhookEvent"][];
            nextCursor: string | null;
        };
        WebhookReceipt: {
            /** @enum {boolean} */
            received: true;
        };
    };
    responses: never;
    parameters: {
        /**
         * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
         * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The Prometheus text format */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example checkouts_total{outcome="confirmed"} 42 */
                    "text/plain": string;
                };
            };
        };
    };
    isLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    isReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready, or degraded where a fallback carries on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** @description Default: `100`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SalePage"];
                };
            };
        };
    };
    getSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sale */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleView"];
                };
            };
        };
    };
    putSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaleRequest"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
            /** @description Set up */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
        };
    };
    pauseSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Paused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
        };
    };
    resumeSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Resumed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
        };
    };
    endSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
        };
    };
    createSaleTicket: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaleTicketRequest"];
            };
        };
        responses: {
            /** @description The ticket that the customer has already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSaleTicket"];
                };
            };
            /** @description In the queue */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSaleTicket"];
                };
            };
        };
    };
    getSaleTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ticket’s token; an admin needs none */
                "X-Sale-Ticket"?: string;
            };
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
                /** @description The ticket’s id */
                ticketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleTicket"];
                };
            };
        };
    };
    followSaleTicket: {
        parameters: {
            query: {
                /** @description As `eventsUrl` has it: for this ticket’s events alone */
                token: string;
            };
            header?: never;
            path: {
                /** @description The sale’s id, of your choice */
                id: string;
                /** @description The ticket’s id */
                ticketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    checkOut: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description While a sale of what is wanted is on: the token of a ticket that was called. A ticket buys once. */
                "X-Sale-Ticket"?: string;
                /** @description RFC 7240. `wait=N` bounds the wait to N seconds (default 10, at most 25); `respond-async` answers 202 at once. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description Confirmed and paid */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
            /** @description Not finished in time, or waiting for the customer: follow Location */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedOrder"];
                };
            };
        };
    };
    listDeadLetters: {
        parameters: {
            query?: {
                state?: "OPEN" | "RETRIED" | "DISCARDED";
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of dead letters */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterPage"];
                };
            };
        };
    };
    getDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dead letter */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
        };
    };
    retryDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The dead letter as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
        };
    };
    discardDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Discarded */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetter"];
                };
            };
        };
    };
    listAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups, the oldest cause first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attention"];
                };
            };
        };
    };
    getOrderDossier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dossier */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dossier"];
                };
            };
        };
    };
    compareOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The three, and how they differ */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
        };
    };
    listDifferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What still differs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Differences"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description An id, an e-mail, a provider’s transaction, an Idempotency-Key, a SKU or a customer */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchHits"];
                };
            };
        };
    };
    listOperatorActions: {
        parameters: {
            query?: {
                verb?: "retry" | "compensate" | "resolve" | "refund" | "cancel" | "capture" | "replay" | "discard" | "adjust" | "erase" | "start" | "stop" | "create" | "change" | "pause" | "resume" | "end";
                actor?: string;
                /** @description What it was done to */
                subject?: string;
                orderId?: string;
                /** @description All of one bulk run */
                runId?: string;
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of actions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorActionPage"];
                };
            };
        };
    };
    listBulkRuns: {
        parameters: {
            query?: {
                state?: "PLANNED" | "RUNNING" | "STOPPED" | "COMPLETED" | "DISCARDED";
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRunPage"];
                };
            };
        };
    };
    planBulkRun: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRunRequest"];
            };
        };
        responses: {
            /** @description Planned */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRun"];
                };
            };
        };
    };
    getBulkRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRun"];
                };
            };
        };
    };
    listBulkItems: {
        parameters: {
            query?: {
                state?: "PENDING" | "BEGUN" | "DONE" | "REFUSED" | "FAILED";
                /** @description Default: `100`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: number;
            };
            header?: never;
            path: {
                /** @description The run’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkItemPage"];
                };
            };
        };
    };
    startBulkRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Running */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRun"];
                };
            };
        };
    };
    stopBulkRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The run’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Stopped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkRun"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    listHotSkus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The SKUs, what sells most first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HotSkus"];
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As after the first start */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxReset"];
                };
            };
        };
    };
    expireReservation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExpireRequest"];
            };
        };
        responses: {
            /** @description The reservation, EXPIRED */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reservation"];
                };
            };
        };
    };
    openDemoDrop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sale; what it sells is the group of its name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
        };
    };
    describeService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Registered */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    removeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    disableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disabled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    enableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Enabled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                state?: "PENDING" | "RETRYING" | "DELIVERED" | "DEAD";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description To be delivered now */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listSandboxCharges: {
        parameters: {
            query: {
                orderId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charges that moved money or still may */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxCharges"];
                };
            };
        };
    };
    getSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default false */
                        everyCallback: boolean;
                        /** @default 0 */
                        duplicateCallbacks: number;
                        /** @default 0 */
                        callbackDelayMs: number;
                        /** @default false */
                        reorder: boolean;
                        /** @default false */
                        earlyCallbacks: boolean;
                        /** @default 0 */
                        chargeLatencyMs: number;
                        /** @default 0 */
                        chargeErrorRate: number;
                        /** @default 0 */
                        refundErrorRate: number;
                        /** @default 0 */
                        captureErrorRate: number;
                        /** @default 0 */
                        keyMemoryMs: number;
                        /** @default 3000 */
                        processingMs: number;
                        /** @default 604800000 */
                        authorizationMs: number;
                        /**
                         * @description What the next calls of an operation meet, each once and in this order
                         * @default []
                         */
                        next: components["schemas"]["ScriptedFault"][];
                        /** @default 3000 */
                        lateFailureMs: number;
                    };
                };
            };
        };
    };
    putSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Default: `false`. */
                    everyCallback?: boolean;
                    /** @description Default: `0`. */
                    duplicateCallbacks?: number;
                    /** @description Default: `0`. */
                    callbackDelayMs?: number;
                    /** @description Default: `false`. */
                    reorder?: boolean;
                    /** @description Default: `false`. */
                    earlyCallbacks?: boolean;
                    /** @description Default: `0`. */
                    chargeLatencyMs?: number;
                    /** @description Default: `0`. */
                    chargeErrorRate?: number;
                    /** @description Default: `0`. */
                    refundErrorRate?: number;
                    /** @description Default: `0`. */
                    captureErrorRate?: number;
                    /** @description Default: `0`. */
                    keyMemoryMs?: number;
                    /** @description Default: `3000`. */
                    processingMs?: number;
                    /** @description Default: `604800000`. */
                    authorizationMs?: number;
                    /** @description What the next calls of an operation meet, each once and in this order. Default: `[]`. */
                    next?: components["schemas"]["ScriptedFault"][];
                    /** @description Default: `3000`. */
                    lateFailureMs?: number;
                };
            };
        };
        responses: {
            /** @description The faults */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default false */
                        everyCallback: boolean;
                        /** @default 0 */
                        duplicateCallbacks: number;
                        /** @default 0 */
                        callbackDelayMs: number;
                        /** @default false */
                        reorder: boolean;
                        /** @default false */
                        earlyCallbacks: boolean;
                        /** @default 0 */
                        chargeLatencyMs: number;
                        /** @default 0 */
                        chargeErrorRate: number;
                        /** @default 0 */
                        refundErrorRate: number;
                        /** @default 0 */
                        captureErrorRate: number;
                        /** @default 0 */
                        keyMemoryMs: number;
                        /** @default 3000 */
                        processingMs: number;
                        /** @default 604800000 */
                        authorizationMs: number;
                        /**
                         * @description What the next calls of an operation meet, each once and in this order
                         * @default []
                         */
                        next: components["schemas"]["ScriptedFault"][];
                        /** @default 3000 */
                        lateFailureMs: number;
                    };
                };
            };
        };
    };
    showAuthentication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    approveAuthentication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    declineAuthentication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listSkus: {
        parameters: {
            query?: {
                /** @description Only this group */
                group?: string;
                /** @description `true`: only what can be had now */
                available?: "true" | "false";
                /** @description By default 100; with a group all of it, up to 5000 */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: {
                /** @description The ETag that was read: answered with 304 while nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of SKUs, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkuPage"];
                };
            };
        };
    };
    followSkus: {
        parameters: {
            query: {
                /** @description Which group to follow */
                group: string;
                /** @description For clients that cannot send `Last-Event-ID` */
                lastEventId?: string;
            };
            header?: {
                /** @description The id of the last message the client has seen */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getSku: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that was read: answered with 304 while nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                sku: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The SKU */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sku"];
                };
            };
        };
    };
    putSku: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that was read: the change is refused if somebody else was quicker. `*` asks that it exists. */
                "If-Match"?: string;
            };
            path: {
                sku: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkuRequest"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sku"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sku"];
                };
            };
        };
    };
    adjustStock: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                sku: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentRequest"];
            };
        };
        responses: {
            /** @description Adjusted */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockMovement"];
                };
            };
        };
    };
    quote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description What it costs, and whether it could be had */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    createReservation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description While a sale of what is wanted is on: the token of a ticket that was called. A ticket buys once. */
                "X-Sale-Ticket"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReservationRequest"];
            };
        };
        responses: {
            /** @description Held */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedReservation"];
                };
            };
        };
    };
    getReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The reservation’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reservation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reservation"];
                };
            };
        };
    };
    releaseReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The reservation’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Released */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reservation"];
                };
            };
        };
    };
    changeReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The reservation’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReservationLinesRequest"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reservation"];
                };
            };
        };
    };
    extendReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The reservation’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtensionRequest"];
            };
        };
        responses: {
            /** @description Extended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reservation"];
                };
            };
        };
    };
    listLocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The locks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldLocks"];
                };
            };
        };
    };
    getCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The coupon’s code */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coupon */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"];
                };
            };
        };
    };
    putCoupon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The coupon’s code */
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CouponRequest"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"];
                };
            };
        };
    };
    listSagas: {
        parameters: {
            query?: {
                state?: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
                /** @description Of its definition, such as `checkout` */
                name?: string;
                /** @description The step it is at, such as `process-payment` */
                step?: string;
                /** @description On its way, or on its way back */
                direction?: "on" | "back";
                /** @description What it failed with */
                code?: string;
                /** @description What it is about: the id of an order */
                subject?: string;
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sagas */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SagaPage"];
                };
            };
        };
    };
    getSaga: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The saga’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The saga */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saga"];
                };
            };
        };
    };
    retrySaga: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The saga’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The saga as it goes on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saga"];
                };
            };
        };
    };
    compensateSaga: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The saga’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The saga as it goes on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saga"];
                };
            };
        };
    };
    resolveSaga: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The saga’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The saga as it goes on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saga"];
                };
            };
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        /** @description As the provider sends it */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Stored, or known already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                state?: "RECEIVED" | "PROCESSED" | "DEAD";
                provider?: string;
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
        };
    };
    replayWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Our id of the event, from the list */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The event, to be processed again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account’s id, of your choice; that of a gift card is chosen by the service */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    putAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The account’s id, of your choice; that of a gift card is chosen by the service */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountRequest"];
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    listAccountEntries: {
        parameters: {
            query?: {
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The account’s id, of your choice; that of a gift card is chosen by the service */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEntryPage"];
                };
            };
        };
    };
    addAccountEntry: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The account’s id, of your choice; that of a gift card is chosen by the service */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountEntryRequest"];
            };
        };
        responses: {
            /** @description Entered */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAccountEntry"];
                };
            };
        };
    };
    issueGiftCard: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftCardRequest"];
            };
        };
        responses: {
            /** @description Issued */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiftCard"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                customerId?: string;
                state?: "PENDING" | "CONFIRMED" | "REJECTED" | "CANCELLED";
                /** @description For admins; upper and lower case are the same */
                email?: string;
                /** @description Orders that have a line of it */
                sku?: string;
                /** @description For admins: the key that the checkout was sent with */
                idempotencyKey?: string;
                /** @description For admins: the provider’s id of the charge, which the provider is asked about */
                transactionId?: string;
                /** @description Created then or later */
                createdFrom?: string;
                /** @description Created before then */
                createdTo?: string;
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    getOrderTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description RFC 7240. `wait=N` bounds the wait to N seconds (default 10, at most 25); `respond-async` answers 202 at once. */
                Prefer?: string;
            };
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `"not given"`. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Cancelled and paid back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description Not finished in time: follow Location */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    captureOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description RFC 7240. `wait=N` bounds the wait to N seconds (default 10, at most 25); `respond-async` answers 202 at once. */
                Prefer?: string;
            };
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureRequest"];
            };
        };
        responses: {
            /** @description Captured: the order as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description Not finished in time: follow Location */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
        };
    };
    refundOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.
                 * @example 3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
                /** @description RFC 7240. `wait=N` bounds the wait to N seconds (default 10, at most 25); `respond-async` answers 202 at once. */
                Prefer?: string;
            };
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        responses: {
            /** @description Refunded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description Not finished in time: follow Location */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    followOrder: {
        parameters: {
            query?: {
                /** @description In place of a key and a proof: as in the order’s `eventsUrl`, valid for an hour */
                token?: string;
            };
            header?: {
                /** @description The id of the last event the client has seen */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The order’s id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The order has ended and the client has seen its last event */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkInvariants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What holds and what does not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvariantReport"];
                };
            };
        };
    };
    listInvariantHistory: {
        parameters: {
            query?: {
                /** @description Of one check */
                name?: string;
                /** @description Default: `50`. */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvariantHistory"];
                };
            };
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseCustomer"];
            };
        };
        responses: {
            /** @description What was erased */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
}
