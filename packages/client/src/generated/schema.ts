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
         * @description Those who wait keep their places. The client that paused it stays on record.
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
    "/v1/sagas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sagas, newest first
         * @description Filter by `state`: `STUCK` lists those that need a person. A saga is the durable progress of one checkout, refund or cancellation.
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
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Orders, newest first: a customer’s own, or for an admin those of all
         * @description With a customer’s JWT it lists the orders of that customer. Without one it needs an admin key. `email`, `idempotencyKey` and `transactionId` are for admin keys.
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
         * @description An order that waits for its customer (PENDING, with a `nextAction`) ends REJECTED with the code CANCELLED: its authorisation is voided, or its charge paid back, and its stock is free, or its hold the customer’s again. A CONFIRMED order ends CANCELLED, refunded and restocked; its customer may do that for as long as the shop allows (`CUSTOMER_CANCEL_SECONDS`), an admin at any time.
         */
        post: operations["cancelOrder"];
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
         * @description Without `amount` everything that is left is refunded. All refunds together never exceed what was captured.
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
            payment: {
                /**
                 * @description The provider’s token for the card, never a card number
                 * @example pm_card_visa
                 */
                method: string;
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
            payment: {
                /**
                 * @description The provider’s token for the card, never a card number
                 * @example pm_card_visa
                 */
                method: string;
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
             * @description In minor units
             * @example 1250
             */
            total: number;
            lines: components["schemas"]["Line"][];
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
             * @description In minor units
             * @example 1250
             */
            total: number;
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
        DeadLetter: {
            /** Format: uuid */
            id: string;
            /** @description The sender’s id, which is its Idempotency-Key */
            messageId: string | null;
            /** @description As it was sent; null if it held a card number */
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
        };
        DeadLetterPage: {
            items: components["schemas"]["DeadLetter"][];
            nextCursor: string | null;
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
        DomainEvent: components["schemas"]["OrderConfirmedEvent"] | components["schemas"]["OrderRejectedEvent"] | components["schemas"]["OrderCancelledEvent"] | components["schemas"]["PaymentCapturedEvent"] | components["schemas"]["PaymentDeclinedEvent"] | components["schemas"]["RefundSettledEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["ReservationExpiredEvent"] | components["schemas"]["SagaStuckEvent"] | components["schemas"]["CommandDeadLetteredEvent"];
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
             * @description In minor units
             * @example 1250
             */
            total: number;
            lines: components["schemas"]["Line"][];
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
            event: "order.confirmed" | "order.rejected" | "order.cancelled" | "payment.captured" | "payment.declined" | "refund.settled" | "refund.failed" | "reservation.expired" | "saga.stuck" | "command.dead_lettered";
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
        };
        Payment: {
            /** Format: uuid */
            id: string;
            /**
             * @example CAPTURED
             * @enum {string}
             */
            state: "PENDING" | "REQUIRES_ACTION" | "IN_DOUBT" | "CAPTURED" | "DECLINED" | "REFUNDED";
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
            /** @example pm_card_visa */
            method: string;
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
                /** @description In minor units */
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
             * @description In minor units
             * @example 1250
             */
            total: number;
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
             * @description In minor units
             * @example 1250
             */
            total: number;
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
            lines: components["schemas"]["LineRequest"][];
        } | {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
            /** @description In place of lines: the first that can be held whole is held */
            alternatives: components["schemas"]["LineRequest"][][];
        } | {
            /**
             * @description ISO 4217
             * @example EUR
             */
            currency: string;
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
            /** @example 0 */
            refundedAmount: number;
            /** @example EUR */
            currency: string;
            /** @example CAPTURED */
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
            operation: "charge" | "refund" | "lookup";
            /** @enum {string} */
            effect: "error" | "error-after" | "timeout" | "timeout-after" | "slow" | "decline";
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
            /** @description Every field that is wrong, up to 20 */
            errors: {
                path: string;
                message: string;
            }[];
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
            events?: ("order.confirmed" | "order.rejected" | "order.cancelled" | "payment.captured" | "payment.declined" | "refund.settled" | "refund.failed" | "reservation.expired" | "saga.stuck" | "command.dead_lettered" | "*")[];
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
        requestBody?: never;
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
        requestBody?: never;
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
        requestBody?: never;
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
        requestBody?: never;
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
        requestBody?: never;
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
        requestBody?: never;
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
                        keyMemoryMs: number;
                        /** @default 3000 */
                        processingMs: number;
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
                    keyMemoryMs?: number;
                    /** @description Default: `3000`. */
                    processingMs?: number;
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
                        keyMemoryMs: number;
                        /** @default 3000 */
                        processingMs: number;
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
    listSagas: {
        parameters: {
            query?: {
                state?: "RUNNING" | "WAITING" | "COMPENSATING" | "COMPLETED" | "COMPENSATED" | "STUCK" | "RESOLVED";
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
        requestBody?: never;
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
        requestBody?: never;
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
