// Made from the code by `npm run generate`: change the code, not this file.

export interface paths {
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts that the client can access
         * @description Needs: `account-settings.read` (Account Settings Read) in any account.
         */
        get: operations["list-accounts"];
        put?: never;
        /**
         * Create an account
         * @description The person who creates the account becomes its Super Administrator. Account-owned tokens and OAuth clients cannot create accounts.
         *
         *     Needs: `account-settings.write` (Account Settings Write) in any account.
         */
        post: operations["create-account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one account
         * @description Needs: `account-settings.read` (Account Settings Read).
         */
        get: operations["get-account"];
        /**
         * Change the name and the settings of an account
         * @description Omitted settings do not change. A person without a second factor who enables `enforce_twofactor` also loses access to the account until they set up a second factor.
         *
         *     Needs: `account-settings.write` (Account Settings Write).
         */
        put: operations["update-account"];
        post?: never;
        /**
         * Delete an account and everything in it
         * @description Only Super Administrators can delete an account. This cannot be undone. All credentials of the account stop working within one second on every node. The server removes tags and gateway logs within minutes and keeps the audit log. The only account of an installation cannot be deleted.
         *
         *     Needs: `account-settings.write` (Account Settings Write).
         */
        delete: operations["delete-account"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get requests, tokens, cost and times of all gateways of an account over time
         * @description Of all requests that were logged by the gateways that the caller may read. By `tag.<key>` this needs `tags.read` (Tags Read) too: it tells what each team costs, when gateways are tagged with theirs.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-account-analytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/custom-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of your own
         * @description By name.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-custom-providers"];
        put?: never;
        /**
         * Add a provider of your own
         * @description Requests name it `custom-{slug}`. Paths below it go to `base_url` with the path behind it; chat completions, responses and embeddings are taken to be there as in the OpenAI API, and Anthropic messages are translated to chat completions. Only public hosts are reached, unless the operator has opened others.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        post: operations["create-custom-provider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/custom-providers/{provider_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one provider of your own
         * @description Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-custom-provider"];
        put?: never;
        post?: never;
        /**
         * Delete a provider of your own
         * @description With every key that gateways keep for it: its slug may be used again.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        delete: operations["delete-custom-provider"];
        options?: never;
        head?: never;
        /**
         * Change a provider of your own
         * @description Fields that are not sent stay as they are; the slug always does. While gateways keep keys for the provider, its base_url cannot be changed: whoever may change it need not be allowed to see them.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        patch: operations["update-custom-provider"];
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the gateways of an account
         * @description Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-gateways"];
        put?: never;
        /**
         * Create a gateway
         * @description Needs: `ai-gateway.write` (AI Gateway Write).
         */
        post: operations["create-gateway"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one gateway
         * @description Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway"];
        /**
         * Replace the settings of a gateway
         * @description What is not sent goes back to its default: authentication to on, limits and retries to off. A secret in `otel` that is sent as it was shown stays what it is, as long as it is for the same host. With cache_invalidate_on_update, answers that were cached before are not used any more. It takes effect at once on this node and within one second on every other.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        put: operations["update-gateway"];
        post?: never;
        /**
         * Delete a gateway
         * @description With the provider keys that it keeps, its tags and its logs. Its id may be used again; the gateway `default` appears again at its next use. API tokens that name the gateway stay.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        delete: operations["delete-gateway"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get requests, tokens, cost and times of a gateway over time
         * @description Of all requests that were logged, also of those whose logs are not there any more. By `tag.<key>` this needs `tags.read` (Tags Read) too.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-analytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what went through a gateway
         * @description Each filter is a `filters.key`, followed by its `filters.operator` and one or more `filters.value`; all filters must hold. `eq`, `contains`, `lt` and `gt` ask for any of the values, `neq` for none of them. An empty value stands for what is not known: `neq` of another value is met by it, `lt` and `gt` are not. A `metadata.value` right behind a `metadata.key` is the value of that key. There are at most 20 filters with 100 values together.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-gateway-logs"];
        put?: never;
        post?: never;
        /**
         * Delete logs of a gateway
         * @description Those that come first in the order that is asked for, with their bodies. Without filters, of all. What analytics tell stays. Each filter is a `filters.key`, followed by its `filters.operator` and one or more `filters.value`; all filters must hold. `eq`, `contains`, `lt` and `gt` ask for any of the values, `neq` for none of them. An empty value stands for what is not known: `neq` of another value is met by it, `lt` and `gt` are not. A `metadata.value` right behind a `metadata.key` is the value of that key. There are at most 20 filters with 100 values together.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        delete: operations["delete-gateway-logs"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs/{log_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a log, with the beginnings of the request and of the response
         * @description Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add feedback, a score or metadata to a log
         * @description What is not sent stays as it is.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        patch: operations["update-gateway-log"];
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs/{log_id}/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the request body of a log
         * @description As it was kept: without credentials, and cut off if it was very large. With the content type that it had, and in no envelope.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-log-request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/logs/{log_id}/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the response body of a log
         * @description As it was kept: without credentials, and cut off if it was very large. With the content type that it had, and in no envelope.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-log-response"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/provider_configs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers' keys that a gateway keeps
         * @description By provider and alias, without the keys themselves.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-provider-configs"];
        put?: never;
        /**
         * Store a provider's key
         * @description It is encrypted and never shown again. Requests that bring no key of the provider are sent with the default one, or with the one that `cf-aig-byok-alias` names.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        post: operations["create-provider-config"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/provider_configs/{config_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is known of a provider's stored key
         * @description Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-provider-config"];
        put?: never;
        post?: never;
        /**
         * Delete a provider's stored key
         * @description It is used no more, at once on this node and within one second on every other. No other key becomes the default.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        delete: operations["delete-provider-config"];
        options?: never;
        head?: never;
        /**
         * Change a provider's stored key
         * @description Fields that are not sent stay as they are. A new `secret` replaces the old one at once on this node and within one second on every other.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        patch: operations["update-provider-config"];
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how near the spend limits of a gateway are
         * @description For each rule of `spend_limits` that is switched on, what is spent in its present window, as requests are refused by it. What other nodes have set aside for requests to come counts as spent: a hundredth of the limit for each node, at most.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-spend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API token that may only run requests through this gateway
         * @description It is an account-owned API token, listed and revoked with the others; `value` is shown this once. This needs `api-tokens.write` (Account API Tokens Write) too, and what the token may do must be within what the caller may do: `ai-gateway.run` on this gateway, no longer than the caller's own token, and from no other addresses.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        post: operations["create-gateway-token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/gateways/{gateway_id}/url/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the address of a provider's own API behind a gateway
         * @description Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-url"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current spend under the limits of an account
         * @description For each rule of the account that is enabled, the spend in its current window. Units that other nodes have leased for further calls count as spent: at most a hundredth of the limit for each node.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-account-spend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai-gateway/spend-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the spend limits of an account
         * @description Limits that several gateways share: all gateways of the account, or those with certain resource tags.
         *
         *     Needs: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-account-spend-limits"];
        /**
         * Replace the spend limits of an account
         * @description Gateways share the budget of each rule. A rule with `gateway_tags` applies to the gateways that have these resource tags now. Changes of limits and of tags take effect at once on this node and within one second on every other.
         *
         *     Needs: `ai-gateway.write` (AI Gateway Write).
         */
        put: operations["put-account-spend-limits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a model
         * @description Takes `{model, input}`, or, with the model at the end of the path, the input alone; answers with the envelope of this API. `model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        post: operations["run-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat completion
         * @description Speaks the OpenAI API: an OpenAI client works with the base address up to `/ai/v1` and an API token as its key. `model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        post: operations["create-chat-completion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embeddings
         * @description Speaks the OpenAI API. `model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        post: operations["create-embeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message
         * @description Speaks the Anthropic API: an Anthropic client works with the base address up to `/ai` and an API token as its key. `model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        post: operations["create-message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tokens of a message
         * @description Speaks the Anthropic API. `model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        post: operations["count-message-tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description The known models of the providers that the gateway has a key for, for clients of the OpenAI and the Anthropic API.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        get: operations["list-models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/models/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model
         * @description One of the known models, by `provider/model`.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        get: operations["get-model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Response
         * @description Speaks the OpenAI Responses API. `model` is `provider/model`, such as `local/echo`; the header `cf-aig-gateway-id` picks a gateway.
         *
         *     Needs: `ai-gateway.run` (AI Gateway Run), unless the gateway has authentication switched off.
         */
        post: operations["create-response"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/logs/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes and refused requests of an account
         * @description Repeat a filter to match any of several values. A row must match all filters. A filter with the suffix `.not` excludes its values. All filters together have at most 100 values. A page may have fewer rows than the limit; the last page has no cursor. The server rejects a query that searches a million rows without a match: use a shorter period.
         *
         *     Needs: `audit-logs.read` (Audit Logs Read).
         */
        get: operations["list-audit-logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/logs/audit/product_categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the product categories of the audit log
         * @description Needs: `audit-logs.read` (Audit Logs Read).
         */
        get: operations["list-audit-product-categories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of an account
         * @description Needs: `members.read` (Account Members Read).
         */
        get: operations["list-members"];
        put?: never;
        /**
         * Invite a member
         * @description The server emails the invitation link. Without a mail server, the response contains it. The link is valid for 7 days. You can only assign roles whose permissions you have, and only Super Administrators can assign the role Super Administrator. The server sends at most 3 invitations per address and hour, and 200 per account and day.
         *
         *     Needs: `members.write` (Account Members Write).
         */
        post: operations["create-member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one member
         * @description Needs: `members.read` (Account Members Read).
         */
        get: operations["get-member"];
        /**
         * Replace the roles of a member
         * @description It takes effect at once on this node and within one second on every other. Whoever has seen the link of an invitation could accept it: when somebody who has not accepted is given a further role, a link that was shown rather than mailed works no more and has to be renewed, and `invitation_link_revoked` is true.
         *
         *     Needs: `members.write` (Account Members Write).
         */
        put: operations["update-member"];
        post?: never;
        /**
         * Remove a member or withdraw an invitation
         * @description Takes effect within one second on every node. Grants of OAuth clients and permissions of API tokens in this account end as well, and a new invitation does not restore them. User-owned tokens with a policy for all accounts get a policy that denies this account. The server deletes tokens that have no other permissions.
         *
         *     Needs: `members.write` (Account Members Write).
         */
        delete: operations["delete-member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/members/{member_id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a new invitation link
         * @description The new link is valid for 7 days and replaces the previous one. It requires the same permissions as an invitation with these roles.
         *
         *     Needs: `members.write` (Account Members Write).
         */
        post: operations["renew-invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/oauth_clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the OAuth clients of an account
         * @description The response contains all clients, oldest first.
         *
         *     Needs: `oauth-clients.read` (OAuth Clients Read).
         */
        get: operations["list-oauth-clients"];
        put?: never;
        /**
         * Create an OAuth client
         * @description A new client is private: only members of its account can authorize it. The response contains the secret, which is shown only once. All lists of a client together have at most 32 KiB.
         *
         *     Needs: `oauth-clients.write` (OAuth Clients Write).
         */
        post: operations["create-oauth-client"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/oauth_clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one OAuth client
         * @description Needs: `oauth-clients.read` (OAuth Clients Read).
         */
        get: operations["get-oauth-client"];
        put?: never;
        post?: never;
        /**
         * Delete an OAuth client
         * @description Also revokes all its grants and tokens.
         *
         *     Needs: `oauth-clients.write` (OAuth Clients Write).
         */
        delete: operations["delete-oauth-client"];
        options?: never;
        head?: never;
        /**
         * Change an OAuth client
         * @description Omitted members do not change. Lists are replaced as a whole and have at most 32 KiB together. Sending the unchanged client_uri restarts the verification of its host with the same text, unless it is still pending. A public client must keep its verified host, logo and permissions. It stays verified when its name, logo or redirect URIs change, because only the host of client_uri is verified. Users are asked for consent again before the first redirect to a new origin.
         *
         *     Needs: `oauth-clients.write` (OAuth Clients Write).
         */
        patch: operations["update-oauth-client"];
        trace?: never;
    };
    "/accounts/{account_id}/oauth_clients/{client_id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an OAuth client
         * @description Adds a second secret. Both secrets work until you delete the old one. The new secret is shown only once. `secrets` of the client shows when the old one was last used.
         *
         *     Needs: `oauth-clients.write` (OAuth Clients Write).
         */
        post: operations["rotate-oauth-client-secret"];
        /**
         * Delete the old secret of an OAuth client
         * @description Completes a rotation: only the new secret works afterwards. `secrets` of the client shows when the old one was last used.
         *
         *     Needs: `oauth-clients.write` (OAuth Clients Write).
         */
        delete: operations["delete-old-oauth-client-secret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/oauth_clients/{client_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the users of an OAuth client
         * @description Returns numbers, not identities. A user is active if they authorized the client, or the client acted for them, in the period. Usage appears within two minutes.
         *
         *     Needs: `oauth-clients.read` (OAuth Clients Read).
         */
        get: operations["get-oauth-client-stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the roles
         * @description Needs: `account-settings.read` (Account Settings Read).
         */
        get: operations["list-roles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/roles/{role_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one role
         * @description Needs: `account-settings.read` (Account Settings Read).
         */
        get: operations["get-role"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tags of a resource
         * @description A resource that does not exist or has no tags answers 1004, with status 500 as published or 404 where the server is set so.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["get-tags"];
        /**
         * Set the tags of a resource
         * @description Replaces the whole set and all else that is stored of the resource; of several writers the last one wins whole. A resource whose set is empty counts as never tagged. With `If-Match` the write happens only while the ETag is the one given; `*` asks that there be tags.
         *
         *     Needs: `tags.write` (Tags Write).
         */
        put: operations["put-tags"];
        post?: never;
        /**
         * Remove all tags of one resource
         * @description The body or the query names the resource. Also 204 when it had no tags, so that a repeated request ends like the first.
         *
         *     Needs: `tags.write` (Tags Write).
         */
        delete: operations["delete-tags"];
        options?: never;
        head?: never;
        /**
         * Change some tags of a resource
         * @description Merges the tags into those that are there (RFC 7396): a text sets a tag, `null` removes it, all others stay. So do the fields that are absent; `worker_version` needs `worker_id` only while none is stored. A resource without tags gets these; one that is left without any counts as never tagged. No set becomes larger than what a PUT can carry (1018). `If-Match` as on PUT. Needs `tags.read` too.
         *
         *     Needs: `tags.write` (Tags Write).
         */
        patch: operations["patch-tags"];
        trace?: never;
    };
    "/accounts/{account_id}/tags/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the tags of many resources
         * @description Either a list of operations, each on one resource, or a filter and the tags to merge into every resource that matches it. Each item succeeds or fails by itself, and says so in its result; all that succeed are written together. By filter, repeat the request with the cursor until there is none; that needs `tags.read` too.
         *
         *     Needs: `tags.write` (Tags Write).
         */
        post: operations["bulk-tags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of tags
         * @description In the order in which they were made, the oldest first. Whoever goes on from where the last page ended, at `result_info.resume_cursor`, sees every change once.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["list-tag-changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tag keys in use
         * @description A caller to whom `tags.read` is denied for some gateway sees what is in use on gateways not at all.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["list-tag-keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tagged resources
         * @description In a stable order: a resource keeps its place while it has tags. Cursors stay valid whatever is written between two pages.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["list-tagged-resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tag keys in use with their values
         * @description Up to 100 values a key, the first in order; the list of values has all of them. `count` says how many resources have the key, `facets` how many each of these values. A caller to whom `tags.read` is denied for some gateway sees what is in use on gateways not at all.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["get-tag-summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the resource types of this installation
         * @description `count` says how many resources of the type have tags. A caller to whom `tags.read` is denied for some gateway sees what is in use on gateways not at all.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["list-tag-types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values in use of a tag key that the query names
         * @description A caller to whom `tags.read` is denied for some gateway sees what is in use on gateways not at all.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["list-tag-values-by-query"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tags/values/{tag_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values in use of a tag key
         * @description A caller to whom `tags.read` is denied for some gateway sees what is in use on gateways not at all.
         *
         *     Needs: `tags.read` (Tags Read).
         */
        get: operations["list-tag-values"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API tokens of an account
         * @description Needs: `api-tokens.read` (Account API Tokens Read).
         */
        get: operations["list-account-tokens"];
        put?: never;
        /**
         * Create an account-owned API token
         * @description Needs: `api-tokens.write` (Account API Tokens Write).
         */
        post: operations["create-account-token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tokens/permission_groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the permission groups that a token can hold
         * @description Needs: `api-tokens.read` (Account API Tokens Read).
         */
        get: operations["list-account-permission-groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tokens/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the token of the request
         * @description Needs: a valid credential.
         */
        get: operations["verify-account-token"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one API token
         * @description Needs: `api-tokens.read` (Account API Tokens Read).
         */
        get: operations["get-account-token"];
        /**
         * Replace the definition of an API token
         * @description Omitted members are removed, except `status`. The value does not change. The client must have all permissions that the token has afterwards, unless the token is disabled.
         *
         *     Needs: `api-tokens.write` (Account API Tokens Write).
         */
        put: operations["update-account-token"];
        post?: never;
        /**
         * Delete an API token
         * @description The token stops working within one second on every node.
         *
         *     Needs: `api-tokens.write` (Account API Tokens Write).
         */
        delete: operations["delete-account-token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/tokens/{token_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Roll an API token
         * @description Replaces the value of the token and nothing else. The old value stops working within one second on every node. The client must have all permissions of the token, because it receives the new value.
         *
         *     Needs: `api-tokens.write` (Account API Tokens Write).
         */
        put: operations["roll-account-token"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memberships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your memberships and invitations
         * @description An OAuth client sees only accounts that the user selected for it.
         *
         *     Needs: `memberships.read` (Memberships Read), and a credential of a user.
         */
        get: operations["list-memberships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memberships/{membership_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of your memberships
         * @description Needs: `memberships.read` (Memberships Read), and a credential of a user.
         */
        get: operations["get-membership"];
        /**
         * Accept or reject an invitation
         * @description Without the invitation link, a user can only accept with a verified email address. Otherwise a person could sign up with the address of someone else and accept their invitation.
         *
         *     Needs: a session.
         */
        put: operations["update-membership"];
        post?: never;
        /**
         * Leave an account
         * @description The last Super Administrator cannot leave an account. Grants of OAuth clients and permissions of API tokens in the account end, as when a member is removed.
         *
         *     Needs: a session.
         */
        delete: operations["delete-membership"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes that a client can request
         * @description Needs: a valid credential.
         */
        get: operations["list-oauth-scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your user details
         * @description Needs: `user-details.read` (User Details Read), and a credential of a user.
         */
        get: operations["get-user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name
         * @description Omitted members do not change; null removes a name.
         *
         *     Needs: a session.
         */
        patch: operations["update-user"];
        trace?: never;
    };
    "/user/logs/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own activity
         * @description Repeat a filter to match any of several values. A row must match all filters. A filter with the suffix `.not` excludes its values. All filters together have at most 100 values. A page may have fewer rows than the limit; the last page has no cursor. The server rejects a query that searches a million rows without a match: use a shorter period.
         *
         *     Needs: a session.
         */
        get: operations["list-user-audit-logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/oauth_grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the OAuth clients that you have authorized
         * @description Latest decision first. An OAuth client sees only the authorization of its own access token.
         *
         *     Needs: `user-details.read` (User Details Read), and a credential of a user.
         */
        get: operations["list-oauth-grants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/oauth_grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the authorization of an OAuth client
         * @description Also revokes all its codes and tokens, within one second on every node. The audit logs of the affected accounts contain the revocation.
         *
         *     Needs: a session.
         */
        delete: operations["delete-oauth-grant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * @description Needs: a session.
         */
        get: operations["list-passkeys"];
        put?: never;
        /**
         * Register a passkey
         * @description A passkey can replace the password, or be the second factor after a password. With the first second factor, the response contains recovery codes, and all other sessions of the user end.
         *
         *     Needs: a session.
         */
        post: operations["create-passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the registration of a passkey
         * @description Send the response of the authenticator to `POST /user/passkeys`. A new start invalidates the previous one.
         *
         *     Needs: a session.
         */
        post: operations["create-passkey-registration-options"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a passkey
         * @description Without any second factor, you lose access to accounts that require one, and your recovery codes are deleted.
         *
         *     Needs: a session.
         */
        delete: operations["delete-passkey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Needs: a session.
         */
        patch: operations["rename-passkey"];
        trace?: never;
    };
    "/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Ends all your other sessions and replaces this one: the response sets new cookies. If you have no password yet, request a password reset link instead.
         *
         *     Needs: a session.
         */
        put: operations["change-password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password_resets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a password with a reset link
         * @description Ends all sessions of the user and starts a new one, which is incomplete if the user has a second factor. An emailed link verifies the email address. If the address was not verified before, all other credentials of the user are deleted.
         *
         *     Needs: nothing.
         */
        put: operations["update-password-reset"];
        /**
         * Request a password reset link
         * @description The server emails the link, at most five times per hour. The link works once, within one hour. The response is the same for unknown addresses. If the server sends no email, an operator can create a link with `latchkey user reset-password`.
         *
         *     Needs: nothing.
         */
        post: operations["create-password-reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/recovery_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create new recovery codes
         * @description Your previous recovery codes no longer work.
         *
         *     Needs: a session.
         */
        post: operations["create-recovery-codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Newest first, at most 50.
         *
         *     Needs: a session.
         */
        get: operations["list-sessions"];
        put?: never;
        /**
         * Sign in with email address and password
         * @description Sets the session cookie. With `second_factor_required`, the session only accepts one of `second_factors`, for ten minutes. After too many failed attempts, the server rejects further ones with `retry-after`.
         *
         *     Needs: nothing.
         */
        post: operations["create-session"];
        /**
         * End all your other sessions
         * @description Needs: a session.
         */
        delete: operations["delete-other-sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/current/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your identity again
         * @description Allows operations that respond with 3045 for 15 minutes. Users with a second factor also send a code. Users without a password, or whose second factors are passkeys, sign in again instead.
         *
         *     Needs: a session.
         */
        post: operations["confirm-session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/current/second_factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with a code
         * @description For the session that `POST /user/sessions` started, with its cookie and CSRF token. The response sets new cookies. The fifth wrong code ends the session. For passkeys, use `POST /user/sessions/passkey`.
         *
         *     Needs: nothing.
         */
        post: operations["show-second-factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description A passkey counts as two factors, so the session is complete. With the cookie and CSRF token of an incomplete session, the request completes this session, or ends it if it belongs to another user.
         *
         *     Needs: nothing.
         */
        post: operations["sign-in-with-passkey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/passkey_options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sign-in with a passkey
         * @description The options do not name a credential: the authenticator selects a passkey for this server. Send its response to `POST /user/sessions/passkey`.
         *
         *     Needs: nothing.
         */
        post: operations["create-passkey-authentication-options"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of your sessions
         * @description Needs: a session.
         */
        get: operations["get-session"];
        put?: never;
        post?: never;
        /**
         * Sign out, or end another session
         * @description The session ends within one second on every node. Signing out also deletes the cookies.
         *
         *     Needs: a session.
         */
        delete: operations["delete-session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your API tokens
         * @description Needs: `api-tokens.read` (Account API Tokens Read), and a credential of a user.
         */
        get: operations["list-user-tokens"];
        put?: never;
        /**
         * Create a user-owned API token
         * @description Needs: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
         */
        post: operations["create-user-token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/permission_groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the permission groups that a token can hold
         * @description Needs: `api-tokens.read` (Account API Tokens Read), and a credential of a user.
         */
        get: operations["list-user-permission-groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the token of the request
         * @description Needs: a valid credential.
         */
        get: operations["verify-user-token"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one API token
         * @description Needs: `api-tokens.read` (Account API Tokens Read), and a credential of a user.
         */
        get: operations["get-user-token"];
        /**
         * Replace the definition of an API token
         * @description Omitted members are removed, except `status`. The value does not change. The client must have all permissions that the token has afterwards, unless the token is disabled.
         *
         *     Needs: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
         */
        put: operations["update-user-token"];
        post?: never;
        /**
         * Delete an API token
         * @description The token stops working within one second on every node.
         *
         *     Needs: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
         */
        delete: operations["delete-user-token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/{token_id}/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Roll an API token
         * @description Replaces the value of the token and nothing else. The old value stops working within one second on every node. The client must have all permissions of the token, because it receives the new value.
         *
         *     Needs: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
         */
        put: operations["roll-user-token"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the authenticator app
         * @description Needs: a session.
         */
        get: operations["get-totp"];
        /**
         * Complete the setup of an authenticator app
         * @description Your previous recovery codes no longer work. With the first second factor, all other sessions of the user end.
         *
         *     Needs: a session.
         */
        put: operations["confirm-totp"];
        /**
         * Start the setup of an authenticator app
         * @description Complete the setup within one hour with `PUT /user/totp` and a code of the app. A new start invalidates the previous one.
         *
         *     Needs: a session.
         */
        post: operations["begin-totp"];
        /**
         * Remove the authenticator app
         * @description Without any second factor, you lose access to accounts that require one, and your recovery codes are deleted.
         *
         *     Needs: a session.
         */
        delete: operations["delete-totp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Failure: {
            /** @enum {boolean} */
            success: false;
            errors: {
                code: number;
                message: string;
                documentation_url?: string;
                source?: {
                    pointer: string;
                };
            }[];
            messages: {
                code: number;
                message: string;
            }[];
            result: null;
        };
        Problem: {
            /** @enum {string} */
            type: "about:blank";
            title: string;
            status: number;
            detail: string;
            instance: string;
            errors: {
                code: number;
                message: string;
                documentation_url?: string;
                source?: {
                    pointer: string;
                };
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "list-accounts": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Exact name */
                name?: string;
                /** @description By name */
                direction?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "standard";
                            created_on: string;
                            settings: {
                                enforce_twofactor: boolean;
                                abuse_contact_email: string | null;
                            };
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {unknown} */
                    type?: "standard";
                    /**
                     * @description Accepted and ignored: every account has this type
                     * @enum {boolean}
                     */
                    standalone?: true;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "standard";
                            created_on: string;
                            settings: {
                                enforce_twofactor: boolean;
                                abuse_contact_email: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "get-account": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "standard";
                            created_on: string;
                            settings: {
                                enforce_twofactor: boolean;
                                abuse_contact_email: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "update-account": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description If present, equal to the id in the path */
                    id?: string;
                    name: string;
                    /** @enum {unknown} */
                    type?: "standard";
                    /** @description Read-only: accepted and ignored */
                    created_on?: string;
                    /** @description Accounts have no parent */
                    managed_by?: Record<string, never>;
                    /** @description Omitted members do not change */
                    settings?: {
                        /** @description Members without a second factor have no permissions in the account. This includes the member who enables the setting */
                        enforce_twofactor?: boolean;
                        /** @description null or an empty string removes it */
                        abuse_contact_email?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            type: "standard";
                            created_on: string;
                            settings: {
                                enforce_twofactor: boolean;
                                abuse_contact_email: string | null;
                            };
                        };
                    };
                };
            };
        };
    };
    "delete-account": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "get-account-analytics": {
        parameters: {
            query?: {
                /** @description RFC 3339 date-time; default: 24 hours before the end */
                since?: string;
                /** @description RFC 3339 date-time, which is not in it; default: now */
                until?: string;
                /** @description Length of a point of the series, in UTC; default: the shortest that fits. Minutes are kept for 3 days, hours for 100 days, days for 10 years */
                interval?: "minute" | "hour" | "day";
                /** @description Groups that are told one by one; all others are one */
                limit?: number;
                /** @description Of which the groups have the most that are told one by one */
                order_by?: "requests" | "cost" | "tokens" | "errors";
                /** @description `gateway`, `none`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, `metadata.<key>` of `cf-aig-metadata`, or `tag.<key>`: the value that this resource tag of the gateway has now */
                group_by?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Both ends as asked for, widened to whole intervals */
                            since: string;
                            until: string;
                            /** @enum {unknown} */
                            interval: "minute" | "hour" | "day";
                            group_by: string;
                            totals: {
                                requests: number;
                                /** @description Requests without success */
                                errors: number;
                                /** @description Requests that the cache of the gateway answered */
                                cached: number;
                                tokens_in: number;
                                tokens_out: number;
                                /** @description Input tokens that the provider had cached */
                                cache_tokens: number;
                                /** @description US dollars */
                                cost: number;
                                /** @description Requests with tokens whose price nobody knows; they are not in `cost` */
                                requests_without_cost: number;
                                /** @description Requests whose tokens the gateway has estimated, because the response broke off or had no usage */
                                requests_with_estimate: number;
                                /** @description Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured */
                                duration: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                                /** @description The same to the first byte of the answer */
                                ttft: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                            };
                            groups: {
                                /** @description Null: requests that have none, or the group of all others */
                                value: string | null;
                                /** @description All that is in no group of its own */
                                is_other: boolean;
                                totals: {
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests that the cache of the gateway answered */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens that the provider had cached */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price nobody knows; they are not in `cost` */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway has estimated, because the response broke off or had no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description The same to the first byte of the answer */
                                    ttft: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                };
                                /** @description In order of time, without intervals in which there was no request */
                                series: {
                                    /** @description Begin of the interval */
                                    start: string;
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests that the cache of the gateway answered */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens that the provider had cached */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price nobody knows; they are not in `cost` */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway has estimated, because the response broke off or had no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description The same to the first byte of the answer */
                                    ttft: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
    };
    "list-custom-providers": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Part of the id, the name or the slug */
                search?: string;
                /** @description Only those that are on, or off */
                enable?: boolean;
                /** @description Only those marked so, or not */
                beta?: boolean;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            slug: string;
                            base_url: string;
                            enable: boolean;
                            beta: boolean;
                            description?: string;
                            link?: string;
                            created_at: string;
                            modified_at: string;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-custom-provider": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Requests name the provider `custom-{slug}`; unique in the account, for good */
                    slug: string;
                    name: string;
                    /** @description https and a public host, without user, query and fragment */
                    base_url: string;
                    /**
                     * @description Requests may name it
                     * @default true
                     */
                    enable?: boolean;
                    description?: string;
                    /** @description Where people read about it: an http or https address; empty for none */
                    link?: string;
                    /**
                     * @description Marks it for people
                     * @default false
                     */
                    beta?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            slug: string;
                            base_url: string;
                            enable: boolean;
                            beta: boolean;
                            description?: string;
                            link?: string;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "get-custom-provider": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Id of the custom provider: 32 hex digits */
                provider_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            slug: string;
                            base_url: string;
                            enable: boolean;
                            beta: boolean;
                            description?: string;
                            link?: string;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "delete-custom-provider": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Id of the custom provider: 32 hex digits */
                provider_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            slug: string;
                            base_url: string;
                            enable: boolean;
                            beta: boolean;
                            description?: string;
                            link?: string;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "update-custom-provider": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Id of the custom provider: 32 hex digits */
                provider_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description https and a public host, without user, query and fragment */
                    base_url?: string;
                    /**
                     * @description Requests may name it
                     * @default true
                     */
                    enable?: boolean;
                    description?: string;
                    /** @description Where people read about it: an http or https address; empty for none */
                    link?: string;
                    /**
                     * @description Marks it for people
                     * @default false
                     */
                    beta?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            slug: string;
                            base_url: string;
                            enable: boolean;
                            beta: boolean;
                            description?: string;
                            link?: string;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "list-gateways": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Part of the id */
                search?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            authentication: boolean;
                            allow_stored_keys_unauthenticated: boolean;
                            collect_logs: boolean;
                            cache_ttl: number | null;
                            cache_invalidate_on_update: boolean;
                            rate_limiting_interval: number | null;
                            rate_limiting_limit: number | null;
                            rate_limiting_technique: string | null;
                            retry_max_attempts: number | null;
                            retry_delay: number | null;
                            retry_backoff: string | null;
                            spend_limits: {
                                enabled: boolean;
                                rules: {
                                    id: string;
                                    enabled: boolean;
                                    /** @description US dollars */
                                    limit: number;
                                    /** @enum {string} */
                                    limitType: "cost";
                                    /** @description Seconds */
                                    window: number;
                                    /** @enum {unknown} */
                                    technique: "fixed" | "sliding";
                                    /** @enum {unknown} */
                                    unpriced: "refuse" | "estimate" | "allow";
                                    model?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description By the keys of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description Together they have the limit; everything else has none */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has the limit by itself
                                             * @enum {string}
                                             */
                                            mode: "partition";
                                        };
                                    };
                                }[];
                            } | null;
                            log_management: number | null;
                            log_management_strategy: string | null;
                            zdr: boolean;
                            trust_custom_cost: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            is_default: boolean;
                            created_at: string;
                            modified_at: string;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-gateway": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    /** @description Each update makes the server forget the answers that it has cached */
                    cache_invalidate_on_update: boolean;
                    /** @description How long answers are cached, seconds */
                    cache_ttl: number | null;
                    /** @description Keep a log row of every exchange */
                    collect_logs: boolean;
                    /** @description Rate limit window, seconds */
                    rate_limiting_interval: number | null;
                    /** @description Requests per window */
                    rate_limiting_limit: number | null;
                    /**
                     * @description Windows that begin at multiples of their length, or the one that ends now; default: fixed
                     * @enum {unknown}
                     */
                    rate_limiting_technique?: "fixed" | "sliding" | null;
                    /** @description How often a provider that fails is called, with the first call */
                    retry_max_attempts?: number | null;
                    /** @description Time between two calls, milliseconds */
                    retry_delay?: number | null;
                    /**
                     * @description How that time grows; default: constant
                     * @enum {unknown}
                     */
                    retry_backoff?: "constant" | "linear" | "exponential" | null;
                    spend_limits?: {
                        /** @default true */
                        enabled?: boolean;
                        rules?: {
                            /** @description Made by the server when it is left out */
                            id?: string;
                            /** @default true */
                            enabled?: boolean;
                            /** @description US dollars */
                            limit: number;
                            /** @enum {string} */
                            limitType: "cost";
                            /** @description Seconds */
                            window: number;
                            /**
                             * @default fixed
                             * @enum {unknown}
                             */
                            technique?: "fixed" | "sliding";
                            /**
                             * @description Calls of models without a known price: refused, counted at the highest price of the provider, or let through and counted as free
                             * @default estimate
                             * @enum {unknown}
                             */
                            unpriced?: "refuse" | "estimate" | "allow";
                            model?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            provider?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            token?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            user?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            oauth_client?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            /** @description By the keys of cf-aig-metadata */
                            metadata?: {
                                [key: string]: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                            };
                        }[];
                    } | null;
                    /** @description How many log rows are kept */
                    log_management?: number | null;
                    /**
                     * @description What happens when there are so many: no more are written, or the oldest go; default: DELETE_OLDEST
                     * @enum {unknown}
                     */
                    log_management_strategy?: "STOP_INSERTING" | "DELETE_OLDEST" | null;
                    /**
                     * @description Zero data retention: log rows have no bodies, whatever a request says
                     * @default false
                     */
                    zdr?: boolean;
                    /**
                     * @description The price that an authenticated request names in `cf-aig-custom-cost` counts even where the price of the model is known. Spend limits count at least the known price
                     * @default false
                     */
                    trust_custom_cost?: boolean;
                    otel?: {
                        /** @description An OTLP/HTTP receiver: the whole address for traces, or the base address to which /v1/traces is added */
                        url: string;
                        /** @description Value of the header authorization, empty for none; as it was shown: the one that is stored */
                        authorization?: string;
                        /** @description More headers; a value as it was shown: the one that is stored */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @default json
                         * @enum {unknown}
                         */
                        content_type?: "json" | "protobuf";
                    }[] | null;
                    /**
                     * @description Only callers with AI Gateway Run get through
                     * @default true
                     */
                    authentication?: boolean;
                    /**
                     * @description Lend the provider keys that it keeps to callers without a valid token
                     * @default false
                     */
                    allow_stored_keys_unauthenticated?: boolean;
                    /** @description Follows from the id: only `default` is; may not say otherwise */
                    is_default?: boolean;
                    /** @description Not in this version: must be switched off, such as by null */
                    byok_only?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    dlp?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    guardrails?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    log_classification?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    logpush?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    logpush_public_key?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    store_id?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    stripe?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    workers_ai_billing_mode?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            authentication: boolean;
                            allow_stored_keys_unauthenticated: boolean;
                            collect_logs: boolean;
                            cache_ttl: number | null;
                            cache_invalidate_on_update: boolean;
                            rate_limiting_interval: number | null;
                            rate_limiting_limit: number | null;
                            rate_limiting_technique: string | null;
                            retry_max_attempts: number | null;
                            retry_delay: number | null;
                            retry_backoff: string | null;
                            spend_limits: {
                                enabled: boolean;
                                rules: {
                                    id: string;
                                    enabled: boolean;
                                    /** @description US dollars */
                                    limit: number;
                                    /** @enum {string} */
                                    limitType: "cost";
                                    /** @description Seconds */
                                    window: number;
                                    /** @enum {unknown} */
                                    technique: "fixed" | "sliding";
                                    /** @enum {unknown} */
                                    unpriced: "refuse" | "estimate" | "allow";
                                    model?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description By the keys of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description Together they have the limit; everything else has none */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has the limit by itself
                                             * @enum {string}
                                             */
                                            mode: "partition";
                                        };
                                    };
                                }[];
                            } | null;
                            log_management: number | null;
                            log_management_strategy: string | null;
                            zdr: boolean;
                            trust_custom_cost: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            is_default: boolean;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "get-gateway": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            authentication: boolean;
                            allow_stored_keys_unauthenticated: boolean;
                            collect_logs: boolean;
                            cache_ttl: number | null;
                            cache_invalidate_on_update: boolean;
                            rate_limiting_interval: number | null;
                            rate_limiting_limit: number | null;
                            rate_limiting_technique: string | null;
                            retry_max_attempts: number | null;
                            retry_delay: number | null;
                            retry_backoff: string | null;
                            spend_limits: {
                                enabled: boolean;
                                rules: {
                                    id: string;
                                    enabled: boolean;
                                    /** @description US dollars */
                                    limit: number;
                                    /** @enum {string} */
                                    limitType: "cost";
                                    /** @description Seconds */
                                    window: number;
                                    /** @enum {unknown} */
                                    technique: "fixed" | "sliding";
                                    /** @enum {unknown} */
                                    unpriced: "refuse" | "estimate" | "allow";
                                    model?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description By the keys of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description Together they have the limit; everything else has none */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has the limit by itself
                                             * @enum {string}
                                             */
                                            mode: "partition";
                                        };
                                    };
                                }[];
                            } | null;
                            log_management: number | null;
                            log_management_strategy: string | null;
                            zdr: boolean;
                            trust_custom_cost: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            is_default: boolean;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "update-gateway": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Each update makes the server forget the answers that it has cached */
                    cache_invalidate_on_update: boolean;
                    /** @description How long answers are cached, seconds */
                    cache_ttl: number | null;
                    /** @description Keep a log row of every exchange */
                    collect_logs: boolean;
                    /** @description Rate limit window, seconds */
                    rate_limiting_interval: number | null;
                    /** @description Requests per window */
                    rate_limiting_limit: number | null;
                    /**
                     * @description Windows that begin at multiples of their length, or the one that ends now; default: fixed
                     * @enum {unknown}
                     */
                    rate_limiting_technique?: "fixed" | "sliding" | null;
                    /** @description How often a provider that fails is called, with the first call */
                    retry_max_attempts?: number | null;
                    /** @description Time between two calls, milliseconds */
                    retry_delay?: number | null;
                    /**
                     * @description How that time grows; default: constant
                     * @enum {unknown}
                     */
                    retry_backoff?: "constant" | "linear" | "exponential" | null;
                    spend_limits?: {
                        /** @default true */
                        enabled?: boolean;
                        rules?: {
                            /** @description Made by the server when it is left out */
                            id?: string;
                            /** @default true */
                            enabled?: boolean;
                            /** @description US dollars */
                            limit: number;
                            /** @enum {string} */
                            limitType: "cost";
                            /** @description Seconds */
                            window: number;
                            /**
                             * @default fixed
                             * @enum {unknown}
                             */
                            technique?: "fixed" | "sliding";
                            /**
                             * @description Calls of models without a known price: refused, counted at the highest price of the provider, or let through and counted as free
                             * @default estimate
                             * @enum {unknown}
                             */
                            unpriced?: "refuse" | "estimate" | "allow";
                            model?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            provider?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            token?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            user?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            oauth_client?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                            /** @description By the keys of cf-aig-metadata */
                            metadata?: {
                                [key: string]: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                            };
                        }[];
                    } | null;
                    /** @description How many log rows are kept */
                    log_management?: number | null;
                    /**
                     * @description What happens when there are so many: no more are written, or the oldest go; default: DELETE_OLDEST
                     * @enum {unknown}
                     */
                    log_management_strategy?: "STOP_INSERTING" | "DELETE_OLDEST" | null;
                    /**
                     * @description Zero data retention: log rows have no bodies, whatever a request says
                     * @default false
                     */
                    zdr?: boolean;
                    /**
                     * @description The price that an authenticated request names in `cf-aig-custom-cost` counts even where the price of the model is known. Spend limits count at least the known price
                     * @default false
                     */
                    trust_custom_cost?: boolean;
                    otel?: {
                        /** @description An OTLP/HTTP receiver: the whole address for traces, or the base address to which /v1/traces is added */
                        url: string;
                        /** @description Value of the header authorization, empty for none; as it was shown: the one that is stored */
                        authorization?: string;
                        /** @description More headers; a value as it was shown: the one that is stored */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @default json
                         * @enum {unknown}
                         */
                        content_type?: "json" | "protobuf";
                    }[] | null;
                    /**
                     * @description Only callers with AI Gateway Run get through
                     * @default true
                     */
                    authentication?: boolean;
                    /**
                     * @description Lend the provider keys that it keeps to callers without a valid token
                     * @default false
                     */
                    allow_stored_keys_unauthenticated?: boolean;
                    /** @description Follows from the id: only `default` is; may not say otherwise */
                    is_default?: boolean;
                    /** @description Not in this version: must be switched off, such as by null */
                    byok_only?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    dlp?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    guardrails?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    log_classification?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    logpush?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    logpush_public_key?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    store_id?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    stripe?: unknown;
                    /** @description Not in this version: must be switched off, such as by null */
                    workers_ai_billing_mode?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            authentication: boolean;
                            allow_stored_keys_unauthenticated: boolean;
                            collect_logs: boolean;
                            cache_ttl: number | null;
                            cache_invalidate_on_update: boolean;
                            rate_limiting_interval: number | null;
                            rate_limiting_limit: number | null;
                            rate_limiting_technique: string | null;
                            retry_max_attempts: number | null;
                            retry_delay: number | null;
                            retry_backoff: string | null;
                            spend_limits: {
                                enabled: boolean;
                                rules: {
                                    id: string;
                                    enabled: boolean;
                                    /** @description US dollars */
                                    limit: number;
                                    /** @enum {string} */
                                    limitType: "cost";
                                    /** @description Seconds */
                                    window: number;
                                    /** @enum {unknown} */
                                    technique: "fixed" | "sliding";
                                    /** @enum {unknown} */
                                    unpriced: "refuse" | "estimate" | "allow";
                                    model?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description By the keys of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description Together they have the limit; everything else has none */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has the limit by itself
                                             * @enum {string}
                                             */
                                            mode: "partition";
                                        };
                                    };
                                }[];
                            } | null;
                            log_management: number | null;
                            log_management_strategy: string | null;
                            zdr: boolean;
                            trust_custom_cost: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            is_default: boolean;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "delete-gateway": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            authentication: boolean;
                            allow_stored_keys_unauthenticated: boolean;
                            collect_logs: boolean;
                            cache_ttl: number | null;
                            cache_invalidate_on_update: boolean;
                            rate_limiting_interval: number | null;
                            rate_limiting_limit: number | null;
                            rate_limiting_technique: string | null;
                            retry_max_attempts: number | null;
                            retry_delay: number | null;
                            retry_backoff: string | null;
                            spend_limits: {
                                enabled: boolean;
                                rules: {
                                    id: string;
                                    enabled: boolean;
                                    /** @description US dollars */
                                    limit: number;
                                    /** @enum {string} */
                                    limitType: "cost";
                                    /** @description Seconds */
                                    window: number;
                                    /** @enum {unknown} */
                                    technique: "fixed" | "sliding";
                                    /** @enum {unknown} */
                                    unpriced: "refuse" | "estimate" | "allow";
                                    model?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description By the keys of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description Together they have the limit; everything else has none */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has the limit by itself
                                             * @enum {string}
                                             */
                                            mode: "partition";
                                        };
                                    };
                                }[];
                            } | null;
                            log_management: number | null;
                            log_management_strategy: string | null;
                            zdr: boolean;
                            trust_custom_cost: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            is_default: boolean;
                            created_at: string;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "get-gateway-analytics": {
        parameters: {
            query?: {
                /** @description RFC 3339 date-time; default: 24 hours before the end */
                since?: string;
                /** @description RFC 3339 date-time, which is not in it; default: now */
                until?: string;
                /** @description Length of a point of the series, in UTC; default: the shortest that fits. Minutes are kept for 3 days, hours for 100 days, days for 10 years */
                interval?: "minute" | "hour" | "day";
                /** @description Groups that are told one by one; all others are one */
                limit?: number;
                /** @description Of which the groups have the most that are told one by one */
                order_by?: "requests" | "cost" | "tokens" | "errors";
                /** @description `none`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, `metadata.<key>` of `cf-aig-metadata`, or `tag.<key>`: the value that this resource tag of the gateway has now */
                group_by?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Both ends as asked for, widened to whole intervals */
                            since: string;
                            until: string;
                            /** @enum {unknown} */
                            interval: "minute" | "hour" | "day";
                            group_by: string;
                            totals: {
                                requests: number;
                                /** @description Requests without success */
                                errors: number;
                                /** @description Requests that the cache of the gateway answered */
                                cached: number;
                                tokens_in: number;
                                tokens_out: number;
                                /** @description Input tokens that the provider had cached */
                                cache_tokens: number;
                                /** @description US dollars */
                                cost: number;
                                /** @description Requests with tokens whose price nobody knows; they are not in `cost` */
                                requests_without_cost: number;
                                /** @description Requests whose tokens the gateway has estimated, because the response broke off or had no usage */
                                requests_with_estimate: number;
                                /** @description Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured */
                                duration: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                                /** @description The same to the first byte of the answer */
                                ttft: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                            };
                            groups: {
                                /** @description Null: requests that have none, or the group of all others */
                                value: string | null;
                                /** @description All that is in no group of its own */
                                is_other: boolean;
                                totals: {
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests that the cache of the gateway answered */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens that the provider had cached */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price nobody knows; they are not in `cost` */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway has estimated, because the response broke off or had no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description The same to the first byte of the answer */
                                    ttft: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                };
                                /** @description In order of time, without intervals in which there was no request */
                                series: {
                                    /** @description Begin of the interval */
                                    start: string;
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests that the cache of the gateway answered */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens that the provider had cached */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price nobody knows; they are not in `cost` */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway has estimated, because the response broke off or had no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description The same to the first byte of the answer */
                                    ttft: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
    };
    "list-gateway-logs": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description One of id, created_at, provider, model, model_type, path, request_type, request_content_type, response_content_type, token_id, user_id, oauth_client_id, success, cached, status_code, step, usage_source, cost, tokens, tokens_in, tokens_out, cache_tokens, duration, ttft, feedback, score, event_id, metadata.key, metadata.value */
                "filters.key"?: string[];
                /** @description One of eq, neq, contains, lt, gt */
                "filters.operator"?: string[];
                /** @description Times in RFC 3339 or milliseconds since 1970, costs in US dollars */
                "filters.value"?: string[];
                /** @description What is not known comes last */
                order_by?: "created_at" | "provider" | "model" | "model_type" | "success" | "cached" | "cost" | "tokens_in" | "tokens_out" | "duration" | "feedback";
                /** @description Newest first: desc, which is the default */
                order_by_direction?: "asc" | "desc";
                /** @description Part of the metadata, the model, the provider or the path, in any case */
                search?: string;
                /** @description Adds the least and the greatest values of all logs to `result_info` */
                meta_info?: boolean;
                cached?: boolean;
                success?: boolean;
                direction?: "asc" | "desc";
                /** @description RFC 3339 date-time, or a date, in UTC; the end is included */
                start_date?: string;
                /** @description RFC 3339 date-time, or a date, in UTC; the end is included */
                end_date?: string;
                feedback?: number;
                min_cost?: number;
                max_cost?: number;
                min_duration?: number;
                max_duration?: number;
                min_tokens_in?: number;
                max_tokens_in?: number;
                min_tokens_out?: number;
                max_tokens_out?: number;
                min_total_tokens?: number;
                max_total_tokens?: number;
                model?: string;
                model_type?: string;
                provider?: string;
                request_content_type?: string;
                response_content_type?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            created_at: string;
                            provider: string;
                            model: string;
                            path: string;
                            success: boolean;
                            status_code: number;
                            cached: boolean;
                            /** @description Milliseconds from the request to the end of the answer */
                            duration: number;
                            /** @description Milliseconds to the first byte of the answer */
                            ttft: number | null;
                            tokens_in: number | null;
                            tokens_out: number | null;
                            request_type: string;
                            request_content_type: string | null;
                            response_content_type: string | null;
                            /** @description Which provider of a universal request it was, from 0 */
                            step: number;
                            /** @description How often that provider was called */
                            attempts: number;
                            /** @description Input tokens that the provider had cached */
                            cache_tokens: number | null;
                            /** @description US dollars; null: nobody knows the price */
                            cost: number | null;
                            /** @description The request named the price itself */
                            custom_cost: boolean;
                            /** @description `provider`: the provider counted the tokens; `estimate`: the gateway estimated them, such as those of a call that broke off; `answer_model`: the provider counted them, and the price is that of the model which the answer names; null: there are none */
                            usage_source: string | null;
                            /** @description Of `cf-aig-metadata`: a JSON object as a text */
                            metadata: string | null;
                            event_id: string | null;
                            /** @description The person on whose behalf was called */
                            user_id: string | null;
                            oauth_client_id: string | null;
                            /** @description The API token that was presented, or the OAuth client that acted for a person */
                            token_id: string | null;
                            /** @description `text-generation` or `embeddings`, where the operation tells it */
                            model_type: string | null;
                            /** @description -1, 0 or 1: what somebody thought of the answer */
                            feedback: number | null;
                            score: number | null;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                            /** @description Too many logs would have to be looked at to know how many there are */
                            total_count_is_estimated?: boolean;
                            /** @description Null: nothing is known */
                            min_cost?: number | null;
                            /** @description Null: nothing is known */
                            max_cost?: number | null;
                            /** @description Null: nothing is known */
                            min_duration?: number | null;
                            /** @description Null: nothing is known */
                            max_duration?: number | null;
                            /** @description Null: nothing is known */
                            min_tokens_in?: number | null;
                            /** @description Null: nothing is known */
                            max_tokens_in?: number | null;
                            /** @description Null: nothing is known */
                            min_tokens_out?: number | null;
                            /** @description Null: nothing is known */
                            max_tokens_out?: number | null;
                            /** @description Null: nothing is known */
                            min_total_tokens?: number | null;
                            /** @description Null: nothing is known */
                            max_total_tokens?: number | null;
                        };
                    };
                };
            };
        };
    };
    "delete-gateway-logs": {
        parameters: {
            query?: {
                /** @description One of id, created_at, provider, model, model_type, path, request_type, request_content_type, response_content_type, token_id, user_id, oauth_client_id, success, cached, status_code, step, usage_source, cost, tokens, tokens_in, tokens_out, cache_tokens, duration, ttft, feedback, score, event_id, metadata.key, metadata.value */
                "filters.key"?: string[];
                /** @description One of eq, neq, contains, lt, gt */
                "filters.operator"?: string[];
                /** @description Times in RFC 3339 or milliseconds since 1970, costs in US dollars */
                "filters.value"?: string[];
                /** @description What is not known comes last */
                order_by?: "created_at" | "provider" | "model" | "model_type" | "success" | "cached" | "cost" | "tokens_in" | "tokens_out" | "duration" | "feedback";
                /** @description Newest first: desc, which is the default */
                order_by_direction?: "asc" | "desc";
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            success: boolean;
                            /** @description As many as the limit: there may be more */
                            deleted_count: number;
                        };
                    };
                };
            };
        };
    };
    "get-gateway-log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Log id: a UUIDv7, as `cf-aig-log-id` tells it */
                log_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            created_at: string;
                            provider: string;
                            model: string;
                            path: string;
                            success: boolean;
                            status_code: number;
                            cached: boolean;
                            /** @description Milliseconds from the request to the end of the answer */
                            duration: number;
                            /** @description Milliseconds to the first byte of the answer */
                            ttft: number | null;
                            tokens_in: number | null;
                            tokens_out: number | null;
                            request_type: string;
                            request_content_type: string | null;
                            response_content_type: string | null;
                            /** @description Which provider of a universal request it was, from 0 */
                            step: number;
                            /** @description How often that provider was called */
                            attempts: number;
                            /** @description Input tokens that the provider had cached */
                            cache_tokens: number | null;
                            /** @description US dollars; null: nobody knows the price */
                            cost: number | null;
                            /** @description The request named the price itself */
                            custom_cost: boolean;
                            /** @description `provider`: the provider counted the tokens; `estimate`: the gateway estimated them, such as those of a call that broke off; `answer_model`: the provider counted them, and the price is that of the model which the answer names; null: there are none */
                            usage_source: string | null;
                            /** @description Of `cf-aig-metadata`: a JSON object as a text */
                            metadata: string | null;
                            event_id: string | null;
                            /** @description The person on whose behalf was called */
                            user_id: string | null;
                            oauth_client_id: string | null;
                            /** @description The API token that was presented, or the OAuth client that acted for a person */
                            token_id: string | null;
                            /** @description `text-generation` or `embeddings`, where the operation tells it */
                            model_type: string | null;
                            /** @description -1, 0 or 1: what somebody thought of the answer */
                            feedback: number | null;
                            score: number | null;
                            /** @description The beginning of the body as a text; null: it was not kept */
                            request_head: string | null;
                            request_head_complete: boolean | null;
                            /** @description Bytes of the body as it went by; null: it was not kept */
                            request_size: number | null;
                            /** @description The header fields that may be kept */
                            request_headers: {
                                [key: string]: unknown;
                            } | null;
                            /** @description The beginning of the body as a text; null: it was not kept */
                            response_head: string | null;
                            response_head_complete: boolean | null;
                            /** @description Bytes of the body as it went by; null: it was not kept */
                            response_size: number | null;
                            /** @description The header fields that may be kept */
                            response_headers: {
                                [key: string]: unknown;
                            } | null;
                        };
                    };
                };
            };
        };
    };
    "update-gateway-log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Log id: a UUIDv7, as `cf-aig-log-id` tells it */
                log_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What somebody thought of the answer; null: nothing
                     * @enum {unknown}
                     */
                    feedback?: -1 | 0 | 1 | null;
                    score?: number | null;
                    /** @description Replaces the metadata that came with the request */
                    metadata?: {
                        [key: string]: string | number | boolean | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            created_at: string;
                            provider: string;
                            model: string;
                            path: string;
                            success: boolean;
                            status_code: number;
                            cached: boolean;
                            /** @description Milliseconds from the request to the end of the answer */
                            duration: number;
                            /** @description Milliseconds to the first byte of the answer */
                            ttft: number | null;
                            tokens_in: number | null;
                            tokens_out: number | null;
                            request_type: string;
                            request_content_type: string | null;
                            response_content_type: string | null;
                            /** @description Which provider of a universal request it was, from 0 */
                            step: number;
                            /** @description How often that provider was called */
                            attempts: number;
                            /** @description Input tokens that the provider had cached */
                            cache_tokens: number | null;
                            /** @description US dollars; null: nobody knows the price */
                            cost: number | null;
                            /** @description The request named the price itself */
                            custom_cost: boolean;
                            /** @description `provider`: the provider counted the tokens; `estimate`: the gateway estimated them, such as those of a call that broke off; `answer_model`: the provider counted them, and the price is that of the model which the answer names; null: there are none */
                            usage_source: string | null;
                            /** @description Of `cf-aig-metadata`: a JSON object as a text */
                            metadata: string | null;
                            event_id: string | null;
                            /** @description The person on whose behalf was called */
                            user_id: string | null;
                            oauth_client_id: string | null;
                            /** @description The API token that was presented, or the OAuth client that acted for a person */
                            token_id: string | null;
                            /** @description `text-generation` or `embeddings`, where the operation tells it */
                            model_type: string | null;
                            /** @description -1, 0 or 1: what somebody thought of the answer */
                            feedback: number | null;
                            score: number | null;
                        };
                    };
                };
            };
        };
    };
    "get-gateway-log-request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Log id: a UUIDv7, as `cf-aig-log-id` tells it */
                log_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request body */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
        };
    };
    "get-gateway-log-response": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Log id: a UUIDv7, as `cf-aig-log-id` tells it */
                log_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response body */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
        };
    };
    "list-provider-configs": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            alias: string;
                            default_config: boolean;
                            gateway_id: string;
                            provider_slug: string;
                            secret_id: string;
                            secret_preview: string;
                            origin?: string;
                            rate_limit?: number;
                            rate_limit_period?: number;
                            modified_at: string;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-provider-config": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique for the provider; requests choose by it in cf-aig-byok-alias */
                    alias: string;
                    /** @description Used where a request names no alias; the default before it is none any more */
                    default_config: boolean;
                    /** @description A built-in provider, or `custom-` and the slug of a custom one */
                    provider_slug: string;
                    /** @description The key, one line of printable ASCII; or a JSON object, such as that of a service account. At most 16 KiB. Never shown again */
                    secret?: string;
                    /** @description Where alone the key is sent, for good: scheme and host. Required for azure-openai, such as `https://my-resource.openai.azure.com`, unless the operator names its address; a custom provider has its own */
                    origin?: string;
                    /** @description Not in this version: there is no store of secrets */
                    secret_id?: unknown;
                    /** @description Requests with this key per period; 0 or null: no limit */
                    rate_limit?: number | null;
                    /** @description Seconds */
                    rate_limit_period?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            alias: string;
                            default_config: boolean;
                            gateway_id: string;
                            provider_slug: string;
                            secret_id: string;
                            secret_preview: string;
                            origin?: string;
                            rate_limit?: number;
                            rate_limit_period?: number;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "get-provider-config": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Id of the stored key: 32 hex digits */
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            alias: string;
                            default_config: boolean;
                            gateway_id: string;
                            provider_slug: string;
                            secret_id: string;
                            secret_preview: string;
                            origin?: string;
                            rate_limit?: number;
                            rate_limit_period?: number;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "delete-provider-config": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Id of the stored key: 32 hex digits */
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            alias: string;
                            default_config: boolean;
                            gateway_id: string;
                            provider_slug: string;
                            secret_id: string;
                            secret_preview: string;
                            origin?: string;
                            rate_limit?: number;
                            rate_limit_period?: number;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "update-provider-config": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Id of the stored key: 32 hex digits */
                config_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique for the provider; requests choose by it in cf-aig-byok-alias */
                    alias?: string;
                    default_config?: boolean;
                    /** @description The key, one line of printable ASCII; or a JSON object, such as that of a service account. At most 16 KiB. Never shown again */
                    secret?: string;
                    /** @description Requests with this key per period; 0 or null: no limit */
                    rate_limit?: number | null;
                    /** @description Seconds */
                    rate_limit_period?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            alias: string;
                            default_config: boolean;
                            gateway_id: string;
                            provider_slug: string;
                            secret_id: string;
                            secret_preview: string;
                            origin?: string;
                            rate_limit?: number;
                            rate_limit_period?: number;
                            modified_at: string;
                        };
                    };
                };
            };
        };
    };
    "get-gateway-spend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Those that are switched on, in their order */
                            rules: {
                                id: string;
                                /** @description US dollars */
                                limit: number;
                                /** @description Seconds */
                                window: number;
                                /** @enum {unknown} */
                                technique: "fixed" | "sliding";
                                window_start: string;
                                /** @description Null: a sliding window ends now, whenever that is */
                                window_end: string | null;
                                /** @description One, or one for each value of what the rule says `partition` of: up to 20, the largest first. Values have at most 256 characters here, and no credentials */
                                budgets: {
                                    /**
                                     * @description The budget of all callers that are not authenticated
                                     * @enum {string}
                                     */
                                    caller?: "unauthenticated";
                                    model?: string;
                                    provider?: string;
                                    /** @description Id of the API token or the OAuth client; null: callers without one */
                                    token?: string | null;
                                    /** @description Id of the person on whose behalf was called; null: calls without one */
                                    user?: string | null;
                                    /** @description Id of the OAuth client; null: calls without one */
                                    oauth_client?: string | null;
                                    metadata?: {
                                        [key: string]: string;
                                    };
                                    /** @description US dollars, also beyond the limit */
                                    spent: number;
                                    /** @description When something is left again; null: something is left */
                                    resets_at: string | null;
                                }[];
                                /** @enum {unknown} */
                                unpriced: "refuse" | "estimate" | "allow";
                                /** @description Calls of models without a known price that the rule has let through in this window, where `unpriced` is `allow` */
                                unpriced_calls: number;
                                /** @description How many more there are of which something is spent; exact up to some thousand */
                                more_budgets: number;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "create-gateway-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description RFC 3339 */
                    not_before?: string;
                    /** @description RFC 3339 */
                    expires_on?: string;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                        "request.ip"?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                            /** @description The token value. Shown only once. */
                            value: string;
                        };
                    };
                };
            };
        };
    };
    "get-gateway-url": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description As requests name it; `compat` for the OpenAI API of all providers */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: string;
                    };
                };
            };
        };
    };
    "get-account-spend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Those that are switched on, in their order */
                            rules: {
                                id: string;
                                /** @description US dollars */
                                limit: number;
                                /** @description Seconds */
                                window: number;
                                /** @enum {unknown} */
                                technique: "fixed" | "sliding";
                                window_start: string;
                                /** @description Null: a sliding window ends now, whenever that is */
                                window_end: string | null;
                                /** @description One, or one for each value of what the rule says `partition` of: up to 20, the largest first. Values have at most 256 characters here, and no credentials */
                                budgets: {
                                    /**
                                     * @description The budget of all callers that are not authenticated
                                     * @enum {string}
                                     */
                                    caller?: "unauthenticated";
                                    model?: string;
                                    provider?: string;
                                    /** @description Id of the API token or the OAuth client; null: callers without one */
                                    token?: string | null;
                                    /** @description Id of the person on whose behalf was called; null: calls without one */
                                    user?: string | null;
                                    /** @description Id of the OAuth client; null: calls without one */
                                    oauth_client?: string | null;
                                    metadata?: {
                                        [key: string]: string;
                                    };
                                    /** @description US dollars, also beyond the limit */
                                    spent: number;
                                    /** @description When something is left again; null: something is left */
                                    resets_at: string | null;
                                }[];
                                /** @enum {unknown} */
                                unpriced: "refuse" | "estimate" | "allow";
                                /** @description Calls of models without a known price that the rule has let through in this window, where `unpriced` is `allow` */
                                unpriced_calls: number;
                                /** @description How many more there are of which something is spent; exact up to some thousand */
                                more_budgets: number;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "get-account-spend-limits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            enabled: boolean;
                            rules: {
                                id: string;
                                enabled: boolean;
                                /** @description US dollars */
                                limit: number;
                                /** @enum {string} */
                                limitType: "cost";
                                /** @description Seconds */
                                window: number;
                                /** @enum {unknown} */
                                technique: "fixed" | "sliding";
                                /** @enum {unknown} */
                                unpriced: "refuse" | "estimate" | "allow";
                                model?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                provider?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                token?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                user?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                oauth_client?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                /** @description By the keys of cf-aig-metadata */
                                metadata?: {
                                    [key: string]: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                };
                                /** @description By the keys of resource tags: the rule applies to gateways that have one of the values of each. Left out: to every gateway of the account */
                                gateway_tags?: {
                                    [key: string]: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        values: string[];
                                    };
                                };
                            }[];
                        };
                    };
                };
            };
        };
    };
    "put-account-spend-limits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default true */
                    enabled?: boolean;
                    rules?: {
                        /** @description Made by the server when it is left out */
                        id?: string;
                        /** @default true */
                        enabled?: boolean;
                        /** @description US dollars */
                        limit: number;
                        /** @enum {string} */
                        limitType: "cost";
                        /** @description Seconds */
                        window: number;
                        /**
                         * @default fixed
                         * @enum {unknown}
                         */
                        technique?: "fixed" | "sliding";
                        /**
                         * @description Calls of models without a known price: refused, counted at the highest price of the provider, or let through and counted as free
                         * @default estimate
                         * @enum {unknown}
                         */
                        unpriced?: "refuse" | "estimate" | "allow";
                        model?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description Together they have the limit; everything else has none */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has the limit by itself
                             * @enum {string}
                             */
                            mode: "partition";
                        };
                        provider?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description Together they have the limit; everything else has none */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has the limit by itself
                             * @enum {string}
                             */
                            mode: "partition";
                        };
                        token?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description Together they have the limit; everything else has none */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has the limit by itself
                             * @enum {string}
                             */
                            mode: "partition";
                        };
                        user?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description Together they have the limit; everything else has none */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has the limit by itself
                             * @enum {string}
                             */
                            mode: "partition";
                        };
                        oauth_client?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description Together they have the limit; everything else has none */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has the limit by itself
                             * @enum {string}
                             */
                            mode: "partition";
                        };
                        /** @description By the keys of cf-aig-metadata */
                        metadata?: {
                            [key: string]: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description Together they have the limit; everything else has none */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has the limit by itself
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                        };
                        /** @description By the keys of resource tags: the rule applies to gateways that have one of the values of each. Left out: to every gateway of the account */
                        gateway_tags?: {
                            [key: string]: {
                                /** @enum {string} */
                                mode: "filter";
                                values: string[];
                            };
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            enabled: boolean;
                            rules: {
                                id: string;
                                enabled: boolean;
                                /** @description US dollars */
                                limit: number;
                                /** @enum {string} */
                                limitType: "cost";
                                /** @description Seconds */
                                window: number;
                                /** @enum {unknown} */
                                technique: "fixed" | "sliding";
                                /** @enum {unknown} */
                                unpriced: "refuse" | "estimate" | "allow";
                                model?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                provider?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                token?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                user?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                oauth_client?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description Together they have the limit; everything else has none */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has the limit by itself
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                /** @description By the keys of cf-aig-metadata */
                                metadata?: {
                                    [key: string]: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description Together they have the limit; everything else has none */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has the limit by itself
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                };
                                /** @description By the keys of resource tags: the rule applies to gateways that have one of the values of each. Left out: to every gateway of the account */
                                gateway_tags?: {
                                    [key: string]: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        values: string[];
                                    };
                                };
                            }[];
                        };
                    };
                };
            };
        };
    };
    "run-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "create-chat-completion": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "create-embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "create-message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "count-message-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "list-models": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "get-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                "*": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "create-response": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    "list-audit-logs": {
        parameters: {
            query: {
                /** @description Start of the period, inclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                since: string;
                /** @description End of the period, exclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                before: string;
                /** @description Sort order; `desc` is newest first */
                direction?: "asc" | "desc";
                limit?: number;
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
                id?: string[];
                "id.not"?: string[];
                account_name?: string[];
                "account_name.not"?: string[];
                action_result?: string[];
                "action_result.not"?: string[];
                action_type?: string[];
                "action_type.not"?: string[];
                actor_context?: string[];
                "actor_context.not"?: string[];
                actor_email?: string[];
                "actor_email.not"?: string[];
                actor_id?: string[];
                "actor_id.not"?: string[];
                actor_ip_address?: string[];
                "actor_ip_address.not"?: string[];
                actor_token_id?: string[];
                "actor_token_id.not"?: string[];
                actor_token_name?: string[];
                "actor_token_name.not"?: string[];
                actor_type?: string[];
                "actor_type.not"?: string[];
                audit_log_id?: string[];
                "audit_log_id.not"?: string[];
                raw_cf_ray_id?: string[];
                "raw_cf_ray_id.not"?: string[];
                raw_method?: string[];
                "raw_method.not"?: string[];
                raw_status_code?: number[];
                "raw_status_code.not"?: number[];
                raw_uri?: string[];
                "raw_uri.not"?: string[];
                resource_id?: string[];
                "resource_id.not"?: string[];
                resource_product?: string[];
                "resource_product.not"?: string[];
                resource_scope?: string[];
                "resource_scope.not"?: string[];
                resource_type?: string[];
                "resource_type.not"?: string[];
                zone_id?: string[];
                "zone_id.not"?: string[];
                zone_name?: string[];
                "zone_name.not"?: string[];
                /** @description All products of the category, in addition to `resource_product`. The operation `list-audit-log-product-categories` lists them */
                product_category?: string[];
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            account?: {
                                id: string;
                                /** @description Email address at the time of the action */
                                name?: string;
                            };
                            action: {
                                /** @description `create`, `update`, `delete`, `view` or another verb */
                                type: string;
                                /** @enum {unknown} */
                                result: "success" | "failure";
                                time: string;
                                description: string;
                            };
                            actor: {
                                id?: string;
                                email?: string;
                                /** @description `user`, `account_token`, `user_token`, `oauth` or `system` */
                                type: string;
                                ip_address?: string;
                                token_id?: string;
                                token_name?: string;
                                /** @description `api_token`, `dash`, `oauth` or `system` */
                                context: string;
                            };
                            raw: {
                                /** @description Request id, as in `x-request-id` */
                                request_id?: string;
                                /** @description Alias that some clients expect */
                                cf_ray_id?: string;
                                method?: string;
                                /** @description Path without the query */
                                uri?: string;
                                status_code?: number;
                                user_agent?: string;
                            };
                            resource: {
                                id?: string;
                                type: string;
                                product: string;
                                /** @enum {unknown} */
                                scope: "accounts" | "user";
                                /** @description Request body without secrets */
                                request?: unknown;
                                /** @description Result without secrets */
                                response?: unknown;
                            };
                        }[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-audit-product-categories": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            value: string;
                            label: string;
                            products: {
                                value: string;
                                label: string;
                            }[];
                        }[];
                    };
                };
            };
        };
    };
    "list-members": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Default: the time of the invitation */
                order?: "user.first_name" | "user.last_name" | "user.email" | "status";
                direction?: "asc" | "desc";
                /** @description Always empty: rejected invitations are not stored */
                status?: "accepted" | "pending" | "rejected";
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending";
                            roles: {
                                id: string;
                                name: string;
                                description: string;
                                permissions: {
                                    [key: string]: {
                                        read: boolean;
                                        write: boolean;
                                        /** @description Of `ai_gateway` only */
                                        run?: boolean;
                                    };
                                };
                            }[];
                            /** @description Permissions of the roles */
                            policies: {
                                id: string;
                                /** @enum {unknown} */
                                access: "allow";
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resource_groups: {
                                    id: string;
                                    name: string;
                                    scope: {
                                        key: string;
                                        objects: {
                                            key: string;
                                        }[];
                                    };
                                }[];
                            }[];
                            /** @description For a pending member, only the email address as entered in the invitation */
                            user: {
                                /** @description Absent for pending members */
                                id?: string;
                                email: string;
                                first_name: string | null;
                                last_name: string | null;
                                two_factor_authentication_enabled: boolean;
                                /** @description True if an operator of the server has locked the user */
                                locked: boolean;
                            };
                            /** @description Of a pending member */
                            invitation_expires_on?: string;
                            /** @description For a pending member who received more roles after the link was shown. The link is invalid; request a new one */
                            invitation_link_revoked?: boolean;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /** @description Role ids, or objects `{"id": …}` */
                    roles?: (string | {
                        id: string;
                    })[];
                    /**
                     * @description `accepted` adds somebody without an invitation: only who has a verified email address and is a member of another account in which you may manage members, and not as Super Administrator
                     * @default pending
                     * @enum {unknown}
                     */
                    status?: "accepted" | "pending";
                    /** @description Not supported: assign roles instead */
                    policies?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending";
                            roles: {
                                id: string;
                                name: string;
                                description: string;
                                permissions: {
                                    [key: string]: {
                                        read: boolean;
                                        write: boolean;
                                        /** @description Of `ai_gateway` only */
                                        run?: boolean;
                                    };
                                };
                            }[];
                            /** @description Permissions of the roles */
                            policies: {
                                id: string;
                                /** @enum {unknown} */
                                access: "allow";
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resource_groups: {
                                    id: string;
                                    name: string;
                                    scope: {
                                        key: string;
                                        objects: {
                                            key: string;
                                        }[];
                                    };
                                }[];
                            }[];
                            /** @description For a pending member, only the email address as entered in the invitation */
                            user: {
                                /** @description Absent for pending members */
                                id?: string;
                                email: string;
                                first_name: string | null;
                                last_name: string | null;
                                two_factor_authentication_enabled: boolean;
                                /** @description True if an operator of the server has locked the user */
                                locked: boolean;
                            };
                            /** @description Of a pending member */
                            invitation_expires_on?: string;
                            /** @description For a pending member who received more roles after the link was shown. The link is invalid; request a new one */
                            invitation_link_revoked?: boolean;
                            /** @description The link to pass on. Shown this once, and only where no mail server is configured: otherwise it is mailed. */
                            invitation_url?: string;
                        };
                    };
                };
            };
        };
    };
    "get-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Member id: 32 hex digits */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending";
                            roles: {
                                id: string;
                                name: string;
                                description: string;
                                permissions: {
                                    [key: string]: {
                                        read: boolean;
                                        write: boolean;
                                        /** @description Of `ai_gateway` only */
                                        run?: boolean;
                                    };
                                };
                            }[];
                            /** @description Permissions of the roles */
                            policies: {
                                id: string;
                                /** @enum {unknown} */
                                access: "allow";
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resource_groups: {
                                    id: string;
                                    name: string;
                                    scope: {
                                        key: string;
                                        objects: {
                                            key: string;
                                        }[];
                                    };
                                }[];
                            }[];
                            /** @description For a pending member, only the email address as entered in the invitation */
                            user: {
                                /** @description Absent for pending members */
                                id?: string;
                                email: string;
                                first_name: string | null;
                                last_name: string | null;
                                two_factor_authentication_enabled: boolean;
                                /** @description True if an operator of the server has locked the user */
                                locked: boolean;
                            };
                            /** @description Of a pending member */
                            invitation_expires_on?: string;
                            /** @description For a pending member who received more roles after the link was shown. The link is invalid; request a new one */
                            invitation_link_revoked?: boolean;
                        };
                    };
                };
            };
        };
    };
    "update-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Member id: 32 hex digits */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Role ids, or objects `{"id": …}` */
                    roles?: (string | {
                        id: string;
                    })[];
                    /** @description Not supported: assign roles instead */
                    policies?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending";
                            roles: {
                                id: string;
                                name: string;
                                description: string;
                                permissions: {
                                    [key: string]: {
                                        read: boolean;
                                        write: boolean;
                                        /** @description Of `ai_gateway` only */
                                        run?: boolean;
                                    };
                                };
                            }[];
                            /** @description Permissions of the roles */
                            policies: {
                                id: string;
                                /** @enum {unknown} */
                                access: "allow";
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resource_groups: {
                                    id: string;
                                    name: string;
                                    scope: {
                                        key: string;
                                        objects: {
                                            key: string;
                                        }[];
                                    };
                                }[];
                            }[];
                            /** @description For a pending member, only the email address as entered in the invitation */
                            user: {
                                /** @description Absent for pending members */
                                id?: string;
                                email: string;
                                first_name: string | null;
                                last_name: string | null;
                                two_factor_authentication_enabled: boolean;
                                /** @description True if an operator of the server has locked the user */
                                locked: boolean;
                            };
                            /** @description Of a pending member */
                            invitation_expires_on?: string;
                            /** @description For a pending member who received more roles after the link was shown. The link is invalid; request a new one */
                            invitation_link_revoked?: boolean;
                        };
                    };
                };
            };
        };
    };
    "delete-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Member id: 32 hex digits */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "renew-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Member id: 32 hex digits */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending";
                            roles: {
                                id: string;
                                name: string;
                                description: string;
                                permissions: {
                                    [key: string]: {
                                        read: boolean;
                                        write: boolean;
                                        /** @description Of `ai_gateway` only */
                                        run?: boolean;
                                    };
                                };
                            }[];
                            /** @description Permissions of the roles */
                            policies: {
                                id: string;
                                /** @enum {unknown} */
                                access: "allow";
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resource_groups: {
                                    id: string;
                                    name: string;
                                    scope: {
                                        key: string;
                                        objects: {
                                            key: string;
                                        }[];
                                    };
                                }[];
                            }[];
                            /** @description For a pending member, only the email address as entered in the invitation */
                            user: {
                                /** @description Absent for pending members */
                                id?: string;
                                email: string;
                                first_name: string | null;
                                last_name: string | null;
                                two_factor_authentication_enabled: boolean;
                                /** @description True if an operator of the server has locked the user */
                                locked: boolean;
                            };
                            /** @description Of a pending member */
                            invitation_expires_on?: string;
                            /** @description For a pending member who received more roles after the link was shown. The link is invalid; request a new one */
                            invitation_link_revoked?: boolean;
                            /** @description The link to pass on. Shown this once, and only where no mail server is configured: otherwise it is mailed. */
                            invitation_url?: string;
                        };
                    };
                };
            };
        };
    };
    "list-oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            client_id: string;
                            client_name: string;
                            response_types: "code"[];
                            grant_types: ("authorization_code" | "refresh_token")[];
                            /**
                             * @description `none` is for applications that cannot keep a secret. They must use PKCE with S256
                             * @enum {unknown}
                             */
                            token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none";
                            redirect_uris: string[];
                            scopes: string[];
                            optional_scopes?: string[];
                            post_logout_redirect_uris: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            /** @description Whether the host of client_uri is the owner’s; there when client_uri is */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first look-up, `in_progress` while there are more to come
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description What a TXT record of the host must hold, all of it */
                                text: string;
                                /** @description The name that needs the record */
                                host: string;
                                /** @description When the verification fails; only until it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description What kept the last look-up from finding the record, in words */
                                problem?: string;
                                /** @description There when a verified host was without its record in 3 daily look-ups in a row, those without an answer left out */
                                warning?: string;
                            };
                            /** @enum {unknown} */
                            visibility: "private" | "public";
                            /** @description True if a second secret exists */
                            has_rotated_secret: boolean;
                            /** @description Creation time and last use of each secret, oldest first, without values */
                            secrets: {
                                created_at: string;
                                last_used_at: string | null;
                            }[];
                            created_at: string;
                            updated_at: string;
                            /** @description Time at which the client became public */
                            promoted_at?: string;
                        }[];
                    };
                };
            };
        };
    };
    "create-oauth-client": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Display name on the consent page */
                    client_name: string;
                    /** @description Exactly `["code"]` */
                    response_types: string[];
                    /** @description `authorization_code`, and `refresh_token` if wanted */
                    grant_types: string[];
                    /**
                     * @description `none` is for applications that cannot keep a secret. They must use PKCE with S256
                     * @enum {unknown}
                     */
                    token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none";
                    /** @description 1 to 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. Stored byte for byte */
                    redirect_uris: string[];
                    /** @description Ids from the list of scopes, or `profile` and `email`. The server always adds `openid`, and adds `offline_access` if grant_types contains refresh_token */
                    scopes?: string[];
                    /** @description Scopes that the user may decline; never openid or offline_access */
                    optional_scopes?: string[];
                    /** @description At most 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form */
                    post_logout_redirect_uris?: string[];
                    /** @description Logo of the client: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    logo_uri?: string | null;
                    /** @description Privacy policy: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    policy_uri?: string | null;
                    /** @description Terms of service: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    tos_uri?: string | null;
                    /** @description Home page of the client, whose host can be verified: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    client_uri?: string | null;
                    /** @description At most 100 origins whose pages may call the token endpoint: scheme, host and port */
                    allowed_cors_origins?: string[];
                    /**
                     * @description Signature algorithm of ID tokens. Default: ES256
                     * @enum {unknown}
                     */
                    id_token_signed_response_alg?: "ES256" | "RS256";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            client_id: string;
                            client_name: string;
                            response_types: "code"[];
                            grant_types: ("authorization_code" | "refresh_token")[];
                            /**
                             * @description `none` is for applications that cannot keep a secret. They must use PKCE with S256
                             * @enum {unknown}
                             */
                            token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none";
                            redirect_uris: string[];
                            scopes: string[];
                            optional_scopes?: string[];
                            post_logout_redirect_uris: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            /** @description Whether the host of client_uri is the owner’s; there when client_uri is */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first look-up, `in_progress` while there are more to come
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description What a TXT record of the host must hold, all of it */
                                text: string;
                                /** @description The name that needs the record */
                                host: string;
                                /** @description When the verification fails; only until it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description What kept the last look-up from finding the record, in words */
                                problem?: string;
                                /** @description There when a verified host was without its record in 3 daily look-ups in a row, those without an answer left out */
                                warning?: string;
                            };
                            /** @enum {unknown} */
                            visibility: "private" | "public";
                            /** @description True if a second secret exists */
                            has_rotated_secret: boolean;
                            /** @description Creation time and last use of each secret, oldest first, without values */
                            secrets: {
                                created_at: string;
                                last_used_at: string | null;
                            }[];
                            created_at: string;
                            updated_at: string;
                            /** @description Time at which the client became public */
                            promoted_at?: string;
                            /** @description Shown only once; absent if the authentication method is none */
                            client_secret?: string;
                        };
                    };
                };
            };
        };
    };
    "get-oauth-client": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Client id: 32 hex digits */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            client_id: string;
                            client_name: string;
                            response_types: "code"[];
                            grant_types: ("authorization_code" | "refresh_token")[];
                            /**
                             * @description `none` is for applications that cannot keep a secret. They must use PKCE with S256
                             * @enum {unknown}
                             */
                            token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none";
                            redirect_uris: string[];
                            scopes: string[];
                            optional_scopes?: string[];
                            post_logout_redirect_uris: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            /** @description Whether the host of client_uri is the owner’s; there when client_uri is */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first look-up, `in_progress` while there are more to come
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description What a TXT record of the host must hold, all of it */
                                text: string;
                                /** @description The name that needs the record */
                                host: string;
                                /** @description When the verification fails; only until it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description What kept the last look-up from finding the record, in words */
                                problem?: string;
                                /** @description There when a verified host was without its record in 3 daily look-ups in a row, those without an answer left out */
                                warning?: string;
                            };
                            /** @enum {unknown} */
                            visibility: "private" | "public";
                            /** @description True if a second secret exists */
                            has_rotated_secret: boolean;
                            /** @description Creation time and last use of each secret, oldest first, without values */
                            secrets: {
                                created_at: string;
                                last_used_at: string | null;
                            }[];
                            created_at: string;
                            updated_at: string;
                            /** @description Time at which the client became public */
                            promoted_at?: string;
                        };
                    };
                };
            };
        };
    };
    "delete-oauth-client": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Client id: 32 hex digits */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "update-oauth-client": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Client id: 32 hex digits */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Display name on the consent page */
                    client_name?: string;
                    /** @description Exactly `["code"]` */
                    response_types?: string[];
                    /** @description `authorization_code`, and `refresh_token` if wanted */
                    grant_types?: string[];
                    /**
                     * @description `none` is for applications that cannot keep a secret. They must use PKCE with S256
                     * @enum {unknown}
                     */
                    token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post" | "none";
                    /** @description 1 to 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. Stored byte for byte */
                    redirect_uris?: string[];
                    /** @description Ids from the list of scopes, or `profile` and `email`. The server always adds `openid`, and adds `offline_access` if grant_types contains refresh_token */
                    scopes?: string[];
                    /** @description Scopes that the user may decline; never openid or offline_access */
                    optional_scopes?: string[];
                    /** @description At most 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form */
                    post_logout_redirect_uris?: string[];
                    /** @description Logo of the client: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    logo_uri?: string | null;
                    /** @description Privacy policy: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    policy_uri?: string | null;
                    /** @description Terms of service: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    tos_uri?: string | null;
                    /** @description Home page of the client, whose host can be verified: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    client_uri?: string | null;
                    /** @description At most 100 origins whose pages may call the token endpoint: scheme, host and port */
                    allowed_cors_origins?: string[];
                    /**
                     * @description Signature algorithm of ID tokens. Default: ES256
                     * @enum {unknown}
                     */
                    id_token_signed_response_alg?: "ES256" | "RS256";
                    /**
                     * @description Only members of the account can authorize a private client; any user can authorize a public one. A public client needs a logo, a client_uri with a verified host and at least one permission in its scopes. It cannot become private again
                     * @enum {unknown}
                     */
                    visibility?: "private" | "public";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            client_id: string;
                            client_name: string;
                            response_types: "code"[];
                            grant_types: ("authorization_code" | "refresh_token")[];
                            /**
                             * @description `none` is for applications that cannot keep a secret. They must use PKCE with S256
                             * @enum {unknown}
                             */
                            token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none";
                            redirect_uris: string[];
                            scopes: string[];
                            optional_scopes?: string[];
                            post_logout_redirect_uris: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            /** @description Whether the host of client_uri is the owner’s; there when client_uri is */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first look-up, `in_progress` while there are more to come
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description What a TXT record of the host must hold, all of it */
                                text: string;
                                /** @description The name that needs the record */
                                host: string;
                                /** @description When the verification fails; only until it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description What kept the last look-up from finding the record, in words */
                                problem?: string;
                                /** @description There when a verified host was without its record in 3 daily look-ups in a row, those without an answer left out */
                                warning?: string;
                            };
                            /** @enum {unknown} */
                            visibility: "private" | "public";
                            /** @description True if a second secret exists */
                            has_rotated_secret: boolean;
                            /** @description Creation time and last use of each secret, oldest first, without values */
                            secrets: {
                                created_at: string;
                                last_used_at: string | null;
                            }[];
                            created_at: string;
                            updated_at: string;
                            /** @description Time at which the client became public */
                            promoted_at?: string;
                        };
                    };
                };
            };
        };
    };
    "rotate-oauth-client-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Client id: 32 hex digits */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description The new secret */
                            client_secret: string;
                            /** @description Creation time and last use of each secret, oldest first, without values */
                            secrets: {
                                created_at: string;
                                last_used_at: string | null;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "delete-old-oauth-client-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Client id: 32 hex digits */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Of the client */
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "get-oauth-client-stats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Client id: 32 hex digits */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Users with an active authorization */
                            authorized_users: number;
                            /** @description Authorizations: one for each set of accounts that a user has selected */
                            grants: number;
                            active_users: {
                                last_day: number;
                                last_7_days: number;
                                last_30_days: number;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-roles": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            description: string;
                            permissions: {
                                [key: string]: {
                                    read: boolean;
                                    write: boolean;
                                    /** @description Of `ai_gateway` only */
                                    run?: boolean;
                                };
                            };
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "get-role": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Role id: 32 hex digits */
                role_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            description: string;
                            permissions: {
                                [key: string]: {
                                    read: boolean;
                                    write: boolean;
                                    /** @description Of `ai_gateway` only */
                                    run?: boolean;
                                };
                            };
                        };
                    };
                };
            };
        };
    };
    "get-tags": {
        parameters: {
            query?: {
                resource_type?: string;
                resource_id?: string;
                /** @description Worker of a `worker_version`, which must then be that of its tags */
                worker_id?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            type: string;
                            name: string;
                            /** @description For `If-Match`; the same as in the `ETag` header */
                            etag: string;
                            /** @description Keys: letters, digits, `_`, `.`, `-`, at most 256 characters. Values: at most 1024 characters; may be empty. */
                            tags: {
                                [key: string]: string;
                            };
                            worker_id?: string;
                            zone_id?: string;
                            access_application_id?: string;
                            tags_updated_at: string;
                        };
                    };
                };
            };
        };
    };
    "put-tags": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Such as `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    /** @description Keys: letters, digits, `_`, `.`, `-`, at most 256 characters. Values: at most 1024 characters; may be empty. */
                    tags: {
                        [key: string]: string;
                    };
                    /** @description Of a resource that lives outside of this server; default: its id. Our own resources keep the name of their record. */
                    name?: string;
                    /** @description Required for `worker_version` */
                    worker_id?: string;
                    zone_id?: string;
                    access_application_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            type: string;
                            name: string;
                            /** @description For `If-Match`; the same as in the `ETag` header */
                            etag: string;
                            /** @description Keys: letters, digits, `_`, `.`, `-`, at most 256 characters. Values: at most 1024 characters; may be empty. */
                            tags: {
                                [key: string]: string;
                            };
                            worker_id?: string;
                            zone_id?: string;
                            access_application_id?: string;
                            tags_updated_at: string;
                        };
                    };
                };
            };
        };
    };
    "delete-tags": {
        parameters: {
            query?: {
                resource_type?: string;
                resource_id?: string;
                /** @description Worker of a `worker_version`, which must then be that of its tags */
                worker_id?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Such as `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    worker_id?: string;
                } | null;
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "patch-tags": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Such as `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    /** @description What becomes of single tags; `null` removes one. All others stay as they are. */
                    tags: {
                        [key: string]: string | null;
                    };
                    /** @description Of a resource that lives outside of this server; default: its id. Our own resources keep the name of their record. */
                    name?: string;
                    /** @description Required for `worker_version` */
                    worker_id?: string;
                    zone_id?: string;
                    access_application_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            type: string;
                            name: string;
                            /** @description For `If-Match`; the same as in the `ETag` header */
                            etag: string;
                            /** @description Keys: letters, digits, `_`, `.`, `-`, at most 256 characters. Values: at most 1024 characters; may be empty. */
                            tags: {
                                [key: string]: string;
                            };
                            worker_id?: string;
                            zone_id?: string;
                            access_application_id?: string;
                            tags_updated_at: string;
                        };
                    };
                };
            };
        };
    };
    "bulk-tags": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        /** @description Either `operations`, or `filter` and `tags` */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Done in this order */
                    operations?: ({
                        /** @enum {string} */
                        op: "put";
                        /** @description Such as `worker` or `zone` */
                        resource_type: string;
                        resource_id: string;
                        /** @description Keys: letters, digits, `_`, `.`, `-`, at most 256 characters. Values: at most 1024 characters; may be empty. */
                        tags: {
                            [key: string]: string;
                        };
                        /** @description Of a resource that lives outside of this server; default: its id. Our own resources keep the name of their record. */
                        name?: string;
                        /** @description Required for `worker_version` */
                        worker_id?: string;
                        zone_id?: string;
                        access_application_id?: string;
                        /** @description As the header `If-Match` of a request on this resource alone */
                        if_match?: string;
                    } | {
                        /** @enum {string} */
                        op: "patch";
                        /** @description Such as `worker` or `zone` */
                        resource_type: string;
                        resource_id: string;
                        /** @description What becomes of single tags; `null` removes one. All others stay as they are. */
                        tags: {
                            [key: string]: string | null;
                        };
                        /** @description Of a resource that lives outside of this server; default: its id. Our own resources keep the name of their record. */
                        name?: string;
                        /** @description Required for `worker_version` */
                        worker_id?: string;
                        zone_id?: string;
                        access_application_id?: string;
                        /** @description As the header `If-Match` of a request on this resource alone */
                        if_match?: string;
                    } | {
                        /** @enum {string} */
                        op: "delete";
                        /** @description Such as `worker` or `zone` */
                        resource_type: string;
                        resource_id: string;
                        worker_id?: string;
                        /** @description As the header `If-Match` of a request on this resource alone */
                        if_match?: string;
                    } | unknown)[];
                    /** @description The parameters of the list of tagged resources; all of them must hold */
                    filter?: {
                        tag?: string[];
                        type?: string[];
                        id?: string[];
                        name?: string;
                        case_insensitive?: boolean;
                        /**
                         * @description Every tagged resource of the account; stands alone
                         * @enum {boolean}
                         */
                        all?: true;
                    };
                    /** @description With `filter`: what is merged into the tags of every resource that matches */
                    tags?: {
                        [key: string]: string | null;
                    };
                    /**
                     * @description Write nothing; only tell what would come of it
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description With `filter`: how many resources to write to at most
                     * @default 1000
                     */
                    limit?: number;
                    /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                    cursor?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            dry_run: boolean;
                            succeeded: number;
                            failed: number;
                            /** @description How many of the succeeded changed nothing */
                            unchanged: number;
                            /** @description One for each operation, in their order; by filter one for each resource, in list order */
                            results: {
                                resource_type?: string;
                                resource_id?: string;
                                success: boolean;
                                /** @description Of a success: whether it left anything other than it was */
                                changed?: boolean;
                                /** @description Of a success: that of the tags after it */
                                etag?: string;
                                errors?: {
                                    code: number;
                                    message: string;
                                    documentation_url?: string;
                                    source?: {
                                        pointer: string;
                                    };
                                }[];
                            }[];
                        };
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-tag-changes": {
        parameters: {
            query?: {
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
                limit?: number;
                /** @description Without a cursor: begin with the changes that come after this request, instead of the oldest that is kept */
                start?: "now";
                /** @description Only resources of this type; repeat it for several */
                type?: string[];
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            resource_type: string;
                            resource_id: string;
                            name: string;
                            /** @description Of all its tags after the change */
                            etag: string;
                            /** @description What became of each tag that changed (RFC 7396); null: it is gone */
                            tags: {
                                [key: string]: string | null;
                            };
                            /** @description The resource has no tags any more */
                            deleted: boolean;
                            changed_at: string;
                            /** @description Of the request that made the change */
                            request_id?: string;
                            /** @description The list goes on here after this change */
                            cursor: string;
                        }[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                            /** @description The list goes on here, also when this is its last page */
                            resume_cursor: string;
                        };
                    };
                };
            };
        };
    };
    "list-tag-keys": {
        parameters: {
            query?: {
                /** @description Case-sensitive */
                prefix?: string;
                /** @description Only resources of this type; repeat it for several */
                type?: string[];
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: string[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-tagged-resources": {
        parameters: {
            query?: {
                /** @description `key`, `key=value`, `key=v1,v2` (any of them), `!key`, `key!=value`, `key!=v1,v2`; repeat it for conditions that must all hold, up to 20. In values `\,` is a comma and `\\` a backslash. The negations also match resources without the key. */
                tag?: string[];
                /** @description Only resources of this type; repeat it for several */
                type?: string[];
                /** @description Only resources of these ids */
                id?: string[];
                /** @description Part of the name, whatever the case */
                name?: string;
                /** @description Match keys and values of `tag` whatever their case */
                case_insensitive?: boolean;
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            type: string;
                            name: string;
                            /** @description For `If-Match`; the same as in the `ETag` header */
                            etag: string;
                            /** @description Keys: letters, digits, `_`, `.`, `-`, at most 256 characters. Values: at most 1024 characters; may be empty. */
                            tags: {
                                [key: string]: string;
                            };
                            worker_id?: string;
                            zone_id?: string;
                            access_application_id?: string;
                            tags_updated_at: string;
                        }[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "get-tag-summary": {
        parameters: {
            query?: {
                /** @description Case-sensitive */
                prefix?: string;
                /** @description Only resources of this type; repeat it for several */
                type?: string[];
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            key: string;
                            values: string[];
                            count: number;
                            facets: {
                                value: string;
                                count: number;
                            }[];
                        }[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-tag-types": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            type: string;
                            count: number;
                        }[];
                    };
                };
            };
        };
    };
    "list-tag-values-by-query": {
        parameters: {
            query?: {
                /** @description Case-sensitive */
                prefix?: string;
                /** @description Only resources of this type; repeat it for several */
                type?: string[];
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
                key?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: string[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-tag-values": {
        parameters: {
            query?: {
                /** @description Case-sensitive */
                prefix?: string;
                /** @description Only resources of this type; repeat it for several */
                type?: string[];
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                tag_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: string[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-account-tokens": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Sort order by creation time */
                direction?: "asc" | "desc";
                include_expired?: boolean;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-account-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    policies: {
                        /** @description Ignored: the server assigns ids */
                        id?: string;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /** @description RFC 3339 */
                    not_before?: string;
                    /** @description RFC 3339 */
                    expires_on?: string;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                        "request.ip"?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                            /** @description The token value. Shown only once. */
                            value: string;
                        };
                    };
                };
            };
        };
    };
    "list-account-permission-groups": {
        parameters: {
            query?: {
                /** @description Exact name */
                name?: string;
                /** @description `com.<brand>.api.account` or `.user` */
                scope?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            scopes: string[];
                            category: string;
                        }[];
                    };
                };
            };
        };
    };
    "verify-account-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            not_before?: string;
                            expires_on?: string;
                        };
                    };
                };
            };
        };
    };
    "get-account-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                        };
                    };
                };
            };
        };
    };
    "update-account-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    policies: {
                        /** @description Ignored: the server assigns ids */
                        id?: string;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /** @description RFC 3339 */
                    not_before?: string;
                    /** @description RFC 3339 */
                    expires_on?: string;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                        "request.ip"?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                    };
                    /** @enum {unknown} */
                    status?: "active" | "disabled" | "expired";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                        };
                    };
                };
            };
        };
    };
    "delete-account-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "roll-account-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        /** @description The new value. Shown only once. */
                        result: string;
                    };
                };
            };
        };
    };
    "list-memberships": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Exact account name */
                name?: string;
                /** @description Alias of `name` */
                "account.name"?: string;
                /** @description Always empty: rejected invitations are not stored */
                status?: "accepted" | "pending" | "rejected";
                order?: "id" | "account.name" | "status";
                direction?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending" | "rejected";
                            account: {
                                id: string;
                                name: string;
                                /** @enum {unknown} */
                                type: "standard";
                                created_on: string;
                                settings: {
                                    enforce_twofactor: boolean;
                                    abuse_contact_email: string | null;
                                };
                            };
                            /** @description Names */
                            roles: string[];
                            permissions: {
                                [key: string]: {
                                    read: boolean;
                                    write: boolean;
                                    /** @description Of `ai_gateway` only */
                                    run?: boolean;
                                };
                            };
                            api_access_enabled: boolean;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "get-membership": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Membership id: 32 hex digits */
                membership_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending" | "rejected";
                            account: {
                                id: string;
                                name: string;
                                /** @enum {unknown} */
                                type: "standard";
                                created_on: string;
                                settings: {
                                    enforce_twofactor: boolean;
                                    abuse_contact_email: string | null;
                                };
                            };
                            /** @description Names */
                            roles: string[];
                            permissions: {
                                [key: string]: {
                                    read: boolean;
                                    write: boolean;
                                    /** @description Of `ai_gateway` only */
                                    run?: boolean;
                                };
                            };
                            api_access_enabled: boolean;
                        };
                    };
                };
            };
        };
    };
    "update-membership": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Membership id: 32 hex digits */
                membership_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    status: "accepted" | "rejected";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @enum {unknown} */
                            status: "accepted" | "pending" | "rejected";
                            account: {
                                id: string;
                                name: string;
                                /** @enum {unknown} */
                                type: "standard";
                                created_on: string;
                                settings: {
                                    enforce_twofactor: boolean;
                                    abuse_contact_email: string | null;
                                };
                            };
                            /** @description Names */
                            roles: string[];
                            permissions: {
                                [key: string]: {
                                    read: boolean;
                                    write: boolean;
                                    /** @description Of `ai_gateway` only */
                                    run?: boolean;
                                };
                            };
                            api_access_enabled: boolean;
                        };
                    };
                };
            };
        };
    };
    "delete-membership": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Membership id: 32 hex digits */
                membership_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "list-oauth-scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Value for `scopes` of a client */
                            id: string;
                            name: string;
                            category: string;
                            /** @description Kinds of resources that the scope acts upon */
                            scopes: string[];
                        }[];
                    };
                };
            };
        };
    };
    "get-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            first_name: string | null;
                            last_name: string | null;
                            two_factor_authentication_enabled: boolean;
                            /** @description True if an account of the user requires a second factor */
                            two_factor_authentication_locked: boolean;
                            suspended: boolean;
                            organizations: {
                                id: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "update-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    first_name?: string | null;
                    last_name?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            email: string;
                            first_name: string | null;
                            last_name: string | null;
                            two_factor_authentication_enabled: boolean;
                            /** @description True if an account of the user requires a second factor */
                            two_factor_authentication_locked: boolean;
                            suspended: boolean;
                            organizations: {
                                id: string;
                            }[];
                        };
                    };
                };
            };
        };
    };
    "list-user-audit-logs": {
        parameters: {
            query: {
                /** @description Start of the period, inclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                since: string;
                /** @description End of the period, exclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                before: string;
                /** @description Sort order; `desc` is newest first */
                direction?: "asc" | "desc";
                limit?: number;
                /** @description `cursors.after` of the page before; opaque, and valid for that list's filter only */
                cursor?: string;
                id?: string[];
                "id.not"?: string[];
                account_name?: string[];
                "account_name.not"?: string[];
                action_result?: string[];
                "action_result.not"?: string[];
                action_type?: string[];
                "action_type.not"?: string[];
                actor_context?: string[];
                "actor_context.not"?: string[];
                actor_email?: string[];
                "actor_email.not"?: string[];
                actor_id?: string[];
                "actor_id.not"?: string[];
                actor_ip_address?: string[];
                "actor_ip_address.not"?: string[];
                actor_token_id?: string[];
                "actor_token_id.not"?: string[];
                actor_token_name?: string[];
                "actor_token_name.not"?: string[];
                actor_type?: string[];
                "actor_type.not"?: string[];
                audit_log_id?: string[];
                "audit_log_id.not"?: string[];
                raw_cf_ray_id?: string[];
                "raw_cf_ray_id.not"?: string[];
                raw_method?: string[];
                "raw_method.not"?: string[];
                raw_status_code?: number[];
                "raw_status_code.not"?: number[];
                raw_uri?: string[];
                "raw_uri.not"?: string[];
                resource_id?: string[];
                "resource_id.not"?: string[];
                resource_product?: string[];
                "resource_product.not"?: string[];
                resource_scope?: string[];
                "resource_scope.not"?: string[];
                resource_type?: string[];
                "resource_type.not"?: string[];
                zone_id?: string[];
                "zone_id.not"?: string[];
                zone_name?: string[];
                "zone_name.not"?: string[];
                /** @description All products of the category, in addition to `resource_product`. The operation `list-audit-log-product-categories` lists them */
                product_category?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            account?: {
                                id: string;
                                /** @description Email address at the time of the action */
                                name?: string;
                            };
                            action: {
                                /** @description `create`, `update`, `delete`, `view` or another verb */
                                type: string;
                                /** @enum {unknown} */
                                result: "success" | "failure";
                                time: string;
                                description: string;
                            };
                            actor: {
                                id?: string;
                                email?: string;
                                /** @description `user`, `account_token`, `user_token`, `oauth` or `system` */
                                type: string;
                                ip_address?: string;
                                token_id?: string;
                                token_name?: string;
                                /** @description `api_token`, `dash`, `oauth` or `system` */
                                context: string;
                            };
                            raw: {
                                /** @description Request id, as in `x-request-id` */
                                request_id?: string;
                                /** @description Alias that some clients expect */
                                cf_ray_id?: string;
                                method?: string;
                                /** @description Path without the query */
                                uri?: string;
                                status_code?: number;
                                user_agent?: string;
                            };
                            resource: {
                                id?: string;
                                type: string;
                                product: string;
                                /** @enum {unknown} */
                                scope: "accounts" | "user";
                                /** @description Request body without secrets */
                                request?: unknown;
                                /** @description Result without secrets */
                                response?: unknown;
                            };
                        }[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                        };
                    };
                };
            };
        };
    };
    "list-oauth-grants": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            client: {
                                client_id: string;
                                client_name: string;
                                /** @enum {unknown} */
                                visibility: "public" | "private";
                                /** @description Path of this server's own copy of the picture */
                                logo_uri?: string;
                                publisher?: {
                                    /** @description Of `client_uri` */
                                    host: string;
                                    /** @description True if the host of the client is verified */
                                    verified: boolean;
                                };
                            };
                            /** @description Accounts that the client can access: the selected ones of which you are a member */
                            accounts: {
                                id: string;
                                name: string;
                            }[];
                            scopes: string[];
                            /** @description Requested scopes that you declined */
                            declined_scopes: string[];
                            created_at: string;
                            /** @description Time of your last decision */
                            updated_at: string;
                            /** @description Time of the last use, to the minute */
                            last_used_at: string | null;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "delete-oauth-grant": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the authorization: 32 hex digits */
                grant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "list-passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            created_on: string;
                            last_used_on?: string;
                            transports: string[];
                        }[];
                    };
                };
            };
        };
    };
    "create-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    state: string;
                    name: string;
                    response: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            attestationObject: string;
                            transports?: string[];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            created_on: string;
                            last_used_on?: string;
                            transports: string[];
                            /** @description With the first second factor of the user. Each code replaces the second factor once. Shown only once. */
                            recovery_codes?: string[];
                        };
                    };
                };
            };
        };
    };
    "create-passkey-registration-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Send it back with the response. Valid once, for five minutes */
                            state: string;
                            /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` */
                            options: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
        };
    };
    "delete-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey id: 32 hex digits */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "rename-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Passkey id: 32 hex digits */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            created_on: string;
                            last_used_on?: string;
                            transports: string[];
                        };
                    };
                };
            };
        };
    };
    "change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    /** @description 12 to 256 characters; common passwords are rejected */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description CSRF token of the new session */
                            csrf_token: string;
                        };
                    };
                };
            };
        };
    };
    "update-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    /** @description 12 to 256 characters; common passwords are rejected */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            status: "complete" | "second_factor_required";
                            /** @description Factors that complete the sign-in; empty for a complete session */
                            second_factors: ("totp" | "passkey" | "recovery_code")[];
                            /** @description Send it in the header `x-csrf-token` with the session cookie */
                            csrf_token: string;
                        };
                    };
                };
            };
        };
    };
    "create-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description True if this server sends email */
                            is_mail_configured: boolean;
                        };
                    };
                };
            };
        };
    };
    "create-recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Each code replaces the second factor once. Shown only once. */
                            recovery_codes: string[];
                        };
                    };
                };
            };
        };
    };
    "list-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @description True for the session of this request */
                            current: boolean;
                            /** @description Authentication methods */
                            methods: string[];
                            created_on: string;
                            /** @description Time of the last authentication; null if the identity provider does not state it */
                            authenticated_on: string | null;
                            /** @description Time of the last use, to the minute */
                            last_seen_on: string;
                            expires_on: string;
                            /** @description IP address and browser at the sign-in */
                            ip: string;
                            user_agent: string;
                        }[];
                    };
                };
            };
        };
    };
    "create-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            status: "complete" | "second_factor_required";
                            /** @description Factors that complete the sign-in; empty for a complete session */
                            second_factors: ("totp" | "passkey" | "recovery_code")[];
                            /** @description Send it in the header `x-csrf-token` with the session cookie */
                            csrf_token: string;
                        };
                    };
                };
            };
        };
    };
    "delete-other-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Number of ended sessions */
                            ended: number;
                        };
                    };
                };
            };
        };
    };
    "confirm-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    /** @description Current six-digit code of the authenticator app */
                    totp_code?: string;
                    /** @description Dashes, spaces and case are ignored */
                    recovery_code?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            authenticated_on: string;
                        };
                    };
                };
            };
        };
    };
    "show-second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Current six-digit code of the authenticator app */
                    totp_code: string;
                } | {
                    /** @description Dashes, spaces and case are ignored */
                    recovery_code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            status: "complete" | "second_factor_required";
                            /** @description Factors that complete the sign-in; empty for a complete session */
                            second_factors: ("totp" | "passkey" | "recovery_code")[];
                            /** @description Send it in the header `x-csrf-token` with the session cookie */
                            csrf_token: string;
                        };
                    };
                };
            };
        };
    };
    "sign-in-with-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    state: string;
                    response: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            authenticatorData: string;
                            signature: string;
                            userHandle?: string | null;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            status: "complete" | "second_factor_required";
                            /** @description Factors that complete the sign-in; empty for a complete session */
                            second_factors: ("totp" | "passkey" | "recovery_code")[];
                            /** @description Send it in the header `x-csrf-token` with the session cookie */
                            csrf_token: string;
                        };
                    };
                };
            };
        };
    };
    "create-passkey-authentication-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Send it back with the response. Valid once, for five minutes */
                            state: string;
                            /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` */
                            options: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
        };
    };
    "get-session": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id, or `current` for the session of the request */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @description True for the session of this request */
                            current: boolean;
                            /** @description Authentication methods */
                            methods: string[];
                            created_on: string;
                            /** @description Time of the last authentication; null if the identity provider does not state it */
                            authenticated_on: string | null;
                            /** @description Time of the last use, to the minute */
                            last_seen_on: string;
                            expires_on: string;
                            /** @description IP address and browser at the sign-in */
                            ip: string;
                            user_agent: string;
                            /** @description True for the session of this request */
                            csrf_token?: string;
                        };
                    };
                };
            };
        };
    };
    "delete-session": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Session id, or `current` for the session of the request */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "list-user-tokens": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Sort order by creation time */
                direction?: "asc" | "desc";
                include_expired?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                        };
                    };
                };
            };
        };
    };
    "create-user-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    policies: {
                        /** @description Ignored: the server assigns ids */
                        id?: string;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /** @description RFC 3339 */
                    not_before?: string;
                    /** @description RFC 3339 */
                    expires_on?: string;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                        "request.ip"?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                            /** @description The token value. Shown only once. */
                            value: string;
                        };
                    };
                };
            };
        };
    };
    "list-user-permission-groups": {
        parameters: {
            query?: {
                /** @description Exact name */
                name?: string;
                /** @description `com.<brand>.api.account` or `.user` */
                scope?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            scopes: string[];
                            category: string;
                        }[];
                    };
                };
            };
        };
    };
    "verify-user-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            not_before?: string;
                            expires_on?: string;
                        };
                    };
                };
            };
        };
    };
    "get-user-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                        };
                    };
                };
            };
        };
    };
    "update-user-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    policies: {
                        /** @description Ignored: the server assigns ids */
                        id?: string;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /** @description RFC 3339 */
                    not_before?: string;
                    /** @description RFC 3339 */
                    expires_on?: string;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                        "request.ip"?: {
                            /** @description IP addresses and CIDR ranges */
                            in?: string[];
                            /** @description IP addresses and CIDR ranges */
                            not_in?: string[];
                        };
                    };
                    /** @enum {unknown} */
                    status?: "active" | "disabled" | "expired";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                            name: string;
                            /** @enum {unknown} */
                            status: "active" | "disabled" | "expired";
                            issued_on: string;
                            modified_on: string;
                            last_used_on?: string;
                            not_before?: string;
                            expires_on?: string;
                            policies: {
                                id: string;
                                effect: string;
                                permission_groups: {
                                    id: string;
                                    name: string;
                                }[];
                                resources: {
                                    [key: string]: string;
                                };
                            }[];
                            condition?: {
                                request_ip: {
                                    in?: string[];
                                    not_in?: string[];
                                };
                            };
                        };
                    };
                };
            };
        };
    };
    "delete-user-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            id: string;
                        };
                    };
                };
            };
        };
    };
    "roll-user-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never> | null;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        /** @description The new value. Shown only once. */
                        result: string;
                    };
                };
            };
        };
    };
    "get-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            enabled: boolean;
                            created_on?: string;
                            recovery_codes_left: number;
                        };
                    };
                };
            };
        };
    };
    "confirm-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Current six-digit code of the authenticator app */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Each code replaces the second factor once. Shown only once. */
                            recovery_codes: string[];
                        };
                    };
                };
            };
        };
    };
    "begin-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Base32 secret for manual entry. Shown only once. */
                            secret: string;
                            /** @description `otpauth://` URI for a QR code */
                            provisioning_uri: string;
                        };
                    };
                };
            };
        };
    };
    "delete-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        errors: {
                            code: number;
                            message: string;
                            documentation_url?: string;
                            source?: {
                                pointer: string;
                            };
                        }[];
                        messages: {
                            code: number;
                            message: string;
                        }[];
                        result: {
                            /** @description Second factors of the user */
                            id: string;
                        };
                    };
                };
            };
        };
    };
}
