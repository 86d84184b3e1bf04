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
         * @description Members that require Account Settings Read are omitted for accounts in which the client lacks it.
         *
         *     Requires: a valid credential.
         */
        get: operations["list-accounts"];
        put?: never;
        /**
         * Create an account
         * @description The person who creates the account becomes its Super Administrator. Account-owned tokens and OAuth clients cannot create accounts.
         *
         *     Requires: `account-settings.write` (Account Settings Write) in any account.
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
         * @description Requires: `account-settings.read` (Account Settings Read).
         */
        get: operations["get-account"];
        /**
         * Change the name and the settings of an account
         * @description Omitted settings do not change. A person without a second factor who enables `enforce_twofactor` also loses access to the account until they set up a second factor.
         *
         *     Requires: `account-settings.write` (Account Settings Write).
         */
        put: operations["update-account"];
        post?: never;
        /**
         * Delete an account and everything in it
         * @description Only Super Administrators can delete an account. This cannot be undone. All credentials of the account stop working within one second on every node. The server removes tags and gateway logs within minutes and keeps the audit log. The only account of an installation cannot be deleted.
         *
         *     Requires: `account-settings.write` (Account Settings Write).
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
         * Get analytics of all gateways of an account
         * @description Requests, tokens, cost and latency over time, for all gateways that the client may read. Grouping by `tag.<key>` also requires `tags.read` (Tags Read): it shows the cost of each team if gateways have a tag with their team.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
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
         * List custom providers
         * @description By name.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-custom-providers"];
        put?: never;
        /**
         * Create a custom provider
         * @description Requests address the provider as `custom-{slug}`. The gateway appends the rest of their path to `base_url`. It expects the paths of the API that `dialect` names, and translates chat completions and messages to it. The host must be public, unless the operator allows others.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get a custom provider
         * @description Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-custom-provider"];
        put?: never;
        post?: never;
        /**
         * Delete a custom provider
         * @description Also deletes all keys stored for the provider. The slug becomes available again.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
         */
        delete: operations["delete-custom-provider"];
        options?: never;
        head?: never;
        /**
         * Update a custom provider
         * @description Omitted fields keep their values. The slug cannot be changed. The base_url cannot be changed while gateways store keys for the provider, because a new address would receive these keys.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * @description Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-gateways"];
        put?: never;
        /**
         * Create a gateway
         * @description Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get a gateway
         * @description Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway"];
        /**
         * Update a gateway
         * @description Replaces all settings. Omitted settings are reset to their defaults: authentication on, limits and retries off. A masked secret in `otel` keeps its stored value if the host is the same. With cache_invalidate_on_update, the cache is cleared. Changes take effect at once on this node and within one second on the others.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
         */
        put: operations["update-gateway"];
        post?: never;
        /**
         * Delete a gateway
         * @description Also deletes its provider keys, tags and logs. The id becomes available again. The next use of the gateway `default` creates it again. Policies of API tokens of the account and of its members no longer allow it. A token that allows only this gateway is deleted.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get analytics of a gateway
         * @description Requests, tokens, cost and latency over time, including requests whose logs have been deleted. Grouping by `tag.<key>` also requires `tags.read` (Tags Read).
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
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
         * List the logs of a gateway
         * @description Each filter is a `filters.key`, followed by its `filters.operator` and one or more `filters.value`. Three lists of the same length, all keys first, are the same filters with one value each. Logs match all filters. `eq`, `contains`, `lt` and `gt` match any of the values, `neq` none of them. An empty value means unknown: an unknown value matches `neq` of another value, but not `lt` and `gt`. A `metadata.value` directly after a `metadata.key` is the value of that key. The maximum is 20 filters with 100 values in total.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-gateway-logs"];
        put?: never;
        post?: never;
        /**
         * Delete logs of a gateway
         * @description Deletes matching logs and their bodies, in the requested order, up to the limit. Without filters, all logs match. Analytics are not affected. Each filter is a `filters.key`, followed by its `filters.operator` and one or more `filters.value`. Three lists of the same length, all keys first, are the same filters with one value each. Logs match all filters. `eq`, `contains`, `lt` and `gt` match any of the values, `neq` none of them. An empty value means unknown: an unknown value matches `neq` of another value, but not `lt` and `gt`. A `metadata.value` directly after a `metadata.key` is the value of that key. The maximum is 20 filters with 100 values in total.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get a log
         * @description Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-gateway-log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add feedback, a score or metadata to a log
         * @description Omitted fields keep their values.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * @description Returns the logged body with its original content type and without an envelope. Credentials are removed, and very large bodies are truncated.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
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
         * @description Returns the logged body with its original content type and without an envelope. Credentials are removed, and very large bodies are truncated.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
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
         * List the provider keys of a gateway
         * @description Sorted by provider and alias, without the keys themselves.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["list-provider-configs"];
        put?: never;
        /**
         * Store a provider key
         * @description The key is encrypted and never shown again. Requests without their own provider key use the key that `cf-aig-byok-alias` selects, or the default key.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get a provider key
         * @description Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-provider-config"];
        put?: never;
        post?: never;
        /**
         * Delete a provider key
         * @description The deletion takes effect at once on this node and within one second on the others. No other key becomes the default.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
         */
        delete: operations["delete-provider-config"];
        options?: never;
        head?: never;
        /**
         * Update a provider key
         * @description Omitted fields keep their values. A new `secret` takes effect at once on this node and within one second on the others.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get the current spend of a gateway
         * @description Returns the spend in the current window for each enabled rule of `spend_limits`. Units that other nodes have leased for further calls count as spent: at most a hundredth of the limit for each node.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
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
         * Create an API token for requests through this gateway
         * @description The result is an account-owned API token, listed and revoked like the others. Only this response contains its `value`. This operation also requires `api-tokens.write` (Account API Tokens Write), and the client needs every permission that the token gets: `ai-gateway.run` on this gateway, valid no longer than the token of the client, and from no other addresses.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
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
         * Get the gateway URL of a provider
         * @description Requires: `ai-gateway.read` (AI Gateway Read).
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
         *     Requires: `ai-gateway.read` (AI Gateway Read).
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
         *     Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["get-account-spend-limits"];
        /**
         * Replace the spend limits of an account
         * @description Gateways share the budget of each rule. A rule with `gateway_tags` applies to the gateways that have these resource tags now. Changes of limits and of tags take effect at once on this node and within one second on every other.
         *
         *     Requires: `ai-gateway.write` (AI Gateway Write).
         */
        put: operations["put-account-spend-limits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/models/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the known models
         * @description Lists models with public prices, models in the price file of the operator, and the models that custom providers declare, for all configured providers. Providers may have further models. `GET /ai/v1/models` lists the models that a credential can use.
         *
         *     Requires: `ai-gateway.read` (AI Gateway Read).
         */
        get: operations["search-models"];
        put?: never;
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
         * @description The body is `{model, input}`. The response has the envelope of this API.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
         */
        post: operations["run-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/ai/run/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a model that the path names
         * @description The body is the input of the model. The response has the envelope of this API.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
         */
        post: operations["run-named-model"];
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
         * Create a chat completion
         * @description Compatible with the OpenAI API. Configure an OpenAI client with a base URL that ends in `/v1` or `/compat` and an API token as the key.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
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
         * Create embeddings
         * @description Compatible with the OpenAI API.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
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
         * Create a message
         * @description Compatible with the Anthropic API. Configure an Anthropic client with a base URL that ends in `/ai` and an API token as the key.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
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
         * Create a token count
         * @description Compatible with the Anthropic API: counts the tokens of a message without sending it.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
         */
        post: operations["create-token-count"];
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
         * @description Returns the aliases of the gateway and the models of all providers that it has a key for or that need none, custom providers included, in the format of the OpenAI or the Anthropic API.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
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
    "/accounts/{account_id}/ai/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model
         * @description Returns one of the known models.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
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
         * Create a response
         * @description Compatible with the OpenAI Responses API.
         *
         *     Requires: `ai-gateway.run` (AI Gateway Run), unless authentication is disabled for the gateway.
         */
        post: operations["create-response"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/audit_logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of an account in pages
         * @description The log in the format of older clients, with numbered pages and the newest 10,000 matching rows only. `list-audit-logs` returns every row, with all members.
         *
         *     Requires: `audit-logs.read` (Audit Logs Read).
         */
        get: operations["list-audit-logs-by-page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/iam/permission_groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the permission groups
         * @description Requires: `account-settings.read` (Account Settings Read).
         */
        get: operations["list-iam-permission-groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/iam/permission_groups/{permission_group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one permission group
         * @description Requires: `account-settings.read` (Account Settings Read).
         */
        get: operations["get-iam-permission-group"];
        put?: never;
        post?: never;
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
         *     Requires: `audit-logs.read` (Audit Logs Read).
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
         * @description Requires: `audit-logs.read` (Audit Logs Read).
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
    "/accounts/{account_id}/logs/audit/{entry_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of the resource of an audit log entry
         * @description Finds the entry by its id and time, and lists all entries about the same resource in the period. The list is empty if the entry names no resource.
         *
         *     Requires: `audit-logs.read` (Audit Logs Read).
         */
        get: operations["get-audit-log-history"];
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
         * @description Requires: `members.read` (Account Members Read).
         */
        get: operations["list-members"];
        put?: never;
        /**
         * Invite a member
         * @description The server emails the invitation link. Without a mail server, the response contains it. The link is valid for 7 days. You can only assign roles whose permissions you have, and only Super Administrators can assign the role Super Administrator. The server sends at most 3 invitations per address and hour, and 200 per account and day.
         *
         *     Requires: `members.write` (Account Members Write).
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
         * @description Requires: `members.read` (Account Members Read).
         */
        get: operations["get-member"];
        /**
         * Replace the roles of a member
         * @description The change takes effect at once on this node and within one second on the others. If a pending member gets a further role, an invitation link that was shown instead of mailed is revoked, because other people may have seen it. The response then has `invitation_link_revoked` set to true, and you need to create a new link.
         *
         *     Requires: `members.write` (Account Members Write).
         */
        put: operations["update-member"];
        post?: never;
        /**
         * Remove a member or withdraw an invitation
         * @description Takes effect within one second on every node. Grants of OAuth clients and permissions of API tokens in this account end as well, and a new invitation does not restore them. User-owned tokens with a policy for all accounts get a policy that denies this account. The server deletes tokens that have no other permissions.
         *
         *     Requires: `members.write` (Account Members Write).
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
         *     Requires: `members.write` (Account Members Write).
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
         *     Requires: `oauth-clients.read` (OAuth Clients Read).
         */
        get: operations["list-oauth-clients"];
        put?: never;
        /**
         * Create an OAuth client
         * @description A new client is private: only members of its account can authorize it. The response contains the secret, which is shown only once. All lists of a client together have at most 32 KiB.
         *
         *     Requires: `oauth-clients.write` (OAuth Clients Write).
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
         * @description Requires: `oauth-clients.read` (OAuth Clients Read).
         */
        get: operations["get-oauth-client"];
        put?: never;
        post?: never;
        /**
         * Delete an OAuth client
         * @description Also revokes all its grants and tokens.
         *
         *     Requires: `oauth-clients.write` (OAuth Clients Write).
         */
        delete: operations["delete-oauth-client"];
        options?: never;
        head?: never;
        /**
         * Change an OAuth client
         * @description Omitted members do not change. Lists are replaced as a whole and have at most 32 KiB together. Sending the unchanged client_uri restarts the verification of its host with the same text, unless it is still pending. A public client must keep its verified host, logo and permissions. It stays verified when its name, logo or redirect URIs change, because only the host of client_uri is verified. Users are asked for consent again before the first redirect to a new origin.
         *
         *     Requires: `oauth-clients.write` (OAuth Clients Write).
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
         *     Requires: `oauth-clients.write` (OAuth Clients Write).
         */
        post: operations["rotate-oauth-client-secret"];
        /**
         * Delete the old secret of an OAuth client
         * @description Completes a rotation: only the new secret works afterwards. `secrets` of the client shows when the old one was last used.
         *
         *     Requires: `oauth-clients.write` (OAuth Clients Write).
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
         *     Requires: `oauth-clients.read` (OAuth Clients Read).
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
         * @description Requires: `account-settings.read` (Account Settings Read).
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
         * @description Requires: `account-settings.read` (Account Settings Read).
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
         * @description If the resource does not exist or has no tags, the error code is 1004, with status 500 as published, or 404 if the server is configured so.
         *
         *     Requires: `tags.read` (Tags Read).
         */
        get: operations["get-tags"];
        /**
         * Set the tags of a resource
         * @description Replaces all tags and all other stored data of the resource. With concurrent requests, the last one wins. A resource with an empty tag set becomes untagged. With `If-Match`, the write succeeds only if the ETag matches; `*` requires that the resource has tags. A resource has at most 1,000 tags (1018).
         *
         *     Requires: `tags.write` (Tags Write).
         */
        put: operations["put-tags"];
        post?: never;
        /**
         * Remove all tags of one resource
         * @description Select the resource in the body or in the query. The response is also 204 if the resource has no tags, so that a retry succeeds.
         *
         *     Requires: `tags.write` (Tags Write).
         */
        delete: operations["delete-tags"];
        options?: never;
        head?: never;
        /**
         * Change some tags of a resource
         * @description Merges the tags into the existing tags (RFC 7396): a string sets a tag, `null` removes it, and all other tags keep their values. Omitted fields also keep their values; `worker_version` requires `worker_id` only if none is stored. A resource without tags gets these tags. A resource that loses its last tag becomes untagged. The result has at most 1,000 tags and fits into the body of a PUT (1018). `If-Match` works as for PUT. Also requires `tags.read`.
         *
         *     Requires: `tags.write` (Tags Write).
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
         * @description Send either a list of operations, each for one resource, or a filter and the tags to merge into every matching resource. Each item succeeds or fails independently and has its own result. All successful items are written together. With a filter, repeat the request with the cursor until the response has none; a filter also requires `tags.read`.
         *
         *     Requires: `tags.write` (Tags Write).
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
         * @description Returns changes in chronological order, the oldest first. A client that continues at `result_info.resume_cursor` of the last page sees every change exactly once.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * List tag keys
         * @description The result excludes gateways if the client is denied `tags.read` for any gateway.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * @description The order is stable: a resource keeps its position while it has tags. Cursors remain valid if tags change between two pages.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * Get all tag keys with their values
         * @description Returns the first 100 values of each key. The list of values returns all of them. `count` is the number of resources with the key, `facets` the number with each of these values. The result excludes gateways if the client is denied `tags.read` for any gateway.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * @description `count` is the number of resources of the type with tags. The result excludes gateways if the client is denied `tags.read` for any gateway.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * List the values of a tag key in the query
         * @description The result excludes gateways if the client is denied `tags.read` for any gateway.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * List the values of a tag key
         * @description The result excludes gateways if the client is denied `tags.read` for any gateway.
         *
         *     Requires: `tags.read` (Tags Read).
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
         * @description Requires: `api-tokens.read` (Account API Tokens Read).
         */
        get: operations["list-account-tokens"];
        put?: never;
        /**
         * Create an account-owned API token
         * @description Requires: `api-tokens.write` (Account API Tokens Write).
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
         * @description Requires: `api-tokens.read` (Account API Tokens Read).
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
         * @description Requires: a valid credential.
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
         * @description Requires: `api-tokens.read` (Account API Tokens Read).
         */
        get: operations["get-account-token"];
        /**
         * Replace the definition of an API token
         * @description Omitted members are removed, except `status`. The value does not change. The client must have all permissions that the token has afterwards, unless the token is disabled.
         *
         *     Requires: `api-tokens.write` (Account API Tokens Write).
         */
        put: operations["update-account-token"];
        post?: never;
        /**
         * Delete an API token
         * @description The token stops working within one second on every node.
         *
         *     Requires: `api-tokens.write` (Account API Tokens Write).
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
         *     Requires: `api-tokens.write` (Account API Tokens Write).
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
         *     Requires: `memberships.read` (Memberships Read), and a credential of a user.
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
         * @description Requires: `memberships.read` (Memberships Read), and a credential of a user.
         */
        get: operations["get-membership"];
        /**
         * Accept or reject an invitation
         * @description Without the invitation link, a user can only accept with a verified email address. Otherwise a person could sign up with the address of someone else and accept their invitation.
         *
         *     Requires: a session.
         */
        put: operations["update-membership"];
        post?: never;
        /**
         * Leave an account
         * @description The last Super Administrator cannot leave an account. Grants of OAuth clients and permissions of API tokens in the account end, as when a member is removed.
         *
         *     Requires: a session.
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
         * @description Requires: a valid credential.
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
         * @description Requires: `user-details.read` (User Details Read), and a credential of a user.
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
         *     Requires: a session.
         */
        patch: operations["update-user"];
        trace?: never;
    };
    "/user/audit_logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own activity in pages
         * @description The log in the format of older clients, with numbered pages and the newest 10,000 matching rows only. `list-audit-logs` returns every row, with all members.
         *
         *     Requires: a session.
         */
        get: operations["list-user-audit-logs-by-page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your invitations
         * @description Returns at most 1,000 pending and expired invitations. An OAuth client sees only accounts that the user selected for it.
         *
         *     Requires: `memberships.read` (Memberships Read), and a credential of a user.
         */
        get: operations["list-invites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/invites/{invite_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of your invitations
         * @description Requires: `memberships.read` (Memberships Read), and a credential of a user.
         */
        get: operations["get-invite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Accept or reject one of your invitations
         * @description Without the invitation link, a user can only accept with a verified email address. Otherwise a person could sign up with the address of someone else and accept their invitation.
         *
         *     Requires: a session.
         */
        patch: operations["update-invite"];
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
         *     Requires: a session.
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
         *     Requires: `user-details.read` (User Details Read), and a credential of a user.
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
         *     Requires: a session.
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
         * @description Requires: a session.
         */
        get: operations["list-passkeys"];
        put?: never;
        /**
         * Register a passkey
         * @description A passkey can replace the password, or be the second factor after a password. With the first second factor, the response contains recovery codes, and all other sessions of the user end.
         *
         *     Requires: a session.
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
         *     Requires: a session.
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
         *     Requires: a session.
         */
        delete: operations["delete-passkey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Requires: a session.
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
         *     Requires: a session.
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
         *     Requires: no authentication.
         */
        put: operations["update-password-reset"];
        /**
         * Request a password reset link
         * @description The server emails the link, at most five times per hour. The link works once, within one hour. The response is the same for unknown addresses. If the server sends no email, an operator can create a link with `latchkey user reset-password`.
         *
         *     Requires: no authentication.
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
         *     Requires: a session.
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
         *     Requires: a session.
         */
        get: operations["list-sessions"];
        put?: never;
        /**
         * Sign in with email address and password
         * @description Sets the session cookie. With `second_factor_required`, the session only accepts one of `second_factors`, for ten minutes. After too many failed attempts, the server rejects further ones with `retry-after`.
         *
         *     Requires: no authentication.
         */
        post: operations["create-session"];
        /**
         * End all your other sessions
         * @description Requires: a session.
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
         *     Requires: a session.
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
         *     Requires: no authentication.
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
         *     Requires: no authentication.
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
         *     Requires: no authentication.
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
         * @description Requires: a session.
         */
        get: operations["get-session"];
        put?: never;
        post?: never;
        /**
         * Sign out, or end another session
         * @description The session ends within one second on every node. Signing out also deletes the cookies.
         *
         *     Requires: a session.
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
         * @description Requires: `api-tokens.read` (Account API Tokens Read), and a credential of a user.
         */
        get: operations["list-user-tokens"];
        put?: never;
        /**
         * Create a user-owned API token
         * @description Requires: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
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
         * @description Requires: `api-tokens.read` (Account API Tokens Read), and a credential of a user.
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
         * @description Requires: a valid credential.
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
         * @description Requires: `api-tokens.read` (Account API Tokens Read), and a credential of a user.
         */
        get: operations["get-user-token"];
        /**
         * Replace the definition of an API token
         * @description Omitted members are removed, except `status`. The value does not change. The client must have all permissions that the token has afterwards, unless the token is disabled.
         *
         *     Requires: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
         */
        put: operations["update-user-token"];
        post?: never;
        /**
         * Delete an API token
         * @description The token stops working within one second on every node.
         *
         *     Requires: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
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
         *     Requires: `api-tokens.write` (Account API Tokens Write), and a credential of a user.
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
         * @description Requires: a session.
         */
        get: operations["get-totp"];
        /**
         * Complete the setup of an authenticator app
         * @description Your previous recovery codes no longer work. With the first second factor, all other sessions of the user end.
         *
         *     Requires: a session.
         */
        put: operations["confirm-totp"];
        /**
         * Start the setup of an authenticator app
         * @description Complete the setup within one hour with `PUT /user/totp` and a code of the app. A new start invalidates the previous one.
         *
         *     Requires: a session.
         */
        post: operations["begin-totp"];
        /**
         * Remove the authenticator app
         * @description Without any second factor, you lose access to accounts that require one, and your recovery codes are deleted.
         *
         *     Requires: a session.
         */
        delete: operations["delete-totp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zones/{zone_id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tags of a zone or of a resource in it
         * @description The result is an error 1004 if the resource has no tags. If the credential can access several accounts, the server selects the account in which the resource, or else the zone, has tags. If no account or several accounts qualify, the error is 6010.
         *
         *     Requires: `tags.read` (Tags Read) in any account.
         */
        get: operations["get-zone-tags"];
        /**
         * Set the tags of a zone or of a resource in it
         * @description Works as `put-tags`, with the zone in the path. If the credential can access several accounts, the server selects the account in which the resource, or else the zone, has tags. If no account or several accounts qualify, the error is 6010.
         *
         *     Requires: `tags.write` (Tags Write) in any account.
         */
        put: operations["put-zone-tags"];
        post?: never;
        /**
         * Remove all tags of a zone or of one resource in it
         * @description Without a selected resource, removes the tags of the zone itself, and not those of resources in it. The response is also 204 if there are no tags. If the credential can access several accounts, the server selects the account in which the resource, or else the zone, has tags. If no account or several accounts qualify, the error is 6010.
         *
         *     Requires: `tags.write` (Tags Write) in any account.
         */
        delete: operations["delete-zone-tags"];
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
        FailedPrecondition: {
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
            /** @description The current record, if the client may read it */
            result: Record<string, never> | null;
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
        ChatMessage: {
            /** @description `system`, `user`, `assistant` or `tool` */
            role: string;
            content?: string | ({
                type: string;
            } & {
                [key: string]: unknown;
            })[] | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionRequest: {
            /** @description `provider/model`, such as `local/echo`, or an alias of the gateway */
            model: string;
            messages: components["schemas"]["ChatMessage"][];
            max_tokens?: number;
            max_completion_tokens?: number;
            temperature?: number;
            stream?: boolean;
            stream_options?: {
                include_usage?: boolean;
            } & {
                [key: string]: unknown;
            };
            tools?: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        ChatCompletion: {
            id: string;
            object?: string;
            created?: number;
            model: string;
            choices: ({
                index: number;
                message: components["schemas"]["ChatMessage"];
                finish_reason?: string | null;
            } & {
                [key: string]: unknown;
            })[];
            usage?: {
                prompt_tokens?: number;
                completion_tokens?: number;
                total_tokens?: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ResponseRequest: {
            /** @description `provider/model`, such as `local/echo`, or an alias of the gateway */
            model: string;
            input?: string | {
                [key: string]: unknown;
            }[];
            instructions?: string | null;
            max_output_tokens?: number | null;
            stream?: boolean;
        } & {
            [key: string]: unknown;
        };
        Response: {
            id: string;
            object?: string;
            model: string;
            status?: string;
            output: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            usage?: ({
                input_tokens?: number;
                output_tokens?: number;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        EmbeddingsRequest: {
            /** @description `provider/model`, such as `local/echo`, or an alias of the gateway */
            model: string;
            input: string | string[] | number[] | number[][];
        } & {
            [key: string]: unknown;
        };
        Embeddings: {
            object?: string;
            model?: string;
            data: ({
                index: number;
                embedding: number[] | string;
            } & {
                [key: string]: unknown;
            })[];
            usage?: {
                prompt_tokens?: number;
                total_tokens?: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        MessageRequest: {
            /** @description `provider/model`, such as `local/echo`, or an alias of the gateway */
            model: string;
            max_tokens: number;
            messages: ({
                role: string;
                content: string | ({
                    type: string;
                    text?: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[];
            system?: string | ({
                type: string;
                text?: string;
            } & {
                [key: string]: unknown;
            })[];
            stream?: boolean;
        } & {
            [key: string]: unknown;
        };
        Message: {
            id: string;
            type?: string;
            role?: string;
            model: string;
            content: ({
                type: string;
                text?: string;
            } & {
                [key: string]: unknown;
            })[];
            stop_reason?: string | null;
            usage?: {
                input_tokens?: number;
                output_tokens?: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        TokenCountRequest: {
            /** @description `provider/model`, such as `local/echo`, or an alias of the gateway */
            model: string;
            messages: ({
                role: string;
                content: string | ({
                    type: string;
                    text?: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[];
            system?: string | ({
                type: string;
                text?: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        TokenCount: {
            input_tokens: number;
        } & {
            [key: string]: unknown;
        };
        Model: {
            id: string;
            object?: string;
            created?: number;
            owned_by?: string;
        } & {
            [key: string]: unknown;
        };
        ModelList: {
            object?: string;
            data: components["schemas"]["Model"][];
        } & {
            [key: string]: unknown;
        };
        RunRequest: {
            /** @description `provider/model`, such as `local/echo`, or an alias of the gateway */
            model?: string;
            input?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        RunResult: {
            success: boolean;
            errors: unknown[];
            messages: unknown[];
            result: unknown;
        } & {
            [key: string]: unknown;
        };
        UniversalRequest: ({
            provider: string;
            endpoint: string;
            headers?: {
                [key: string]: unknown;
            };
            query: unknown;
            config?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        })[];
        /** @description The response of the provider */
        UniversalResponse: unknown;
        /** @description With the envelope of the management API, and with `error` as the API of the provider has it */
        GatewayFailure: {
            /** @enum {boolean} */
            success?: false;
            errors?: ({
                code: number;
                message: string;
            } & {
                [key: string]: unknown;
            })[];
            error?: ({
                message: string;
                type?: string;
                code?: string | null;
            } & {
                [key: string]: unknown;
            }) | ({
                code: number;
                message: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
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
                            settings?: {
                                enforce_twofactor: boolean;
                                abuse_contact_email?: string;
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    type?: "standard" | null;
                    standalone?: true | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                abuse_contact_email?: string;
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                abuse_contact_email?: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    type?: "standard" | null;
                    /** @description Accounts have no parent */
                    managed_by?: Record<string, never> | null;
                    /** @description Omitted members do not change */
                    settings?: {
                        /**
                         * @description Members without a second factor have no permissions in the account. This includes the member who enables the setting
                         * @default false
                         */
                        enforce_twofactor?: boolean | null;
                        /** @description null or an empty string removes it */
                        abuse_contact_email?: string | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                abuse_contact_email?: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                /** @description End of the period, exclusive, as an RFC 3339 date-time; default: now */
                until?: string;
                /** @description Interval of the time series, in UTC; default: the shortest that fits. Minutes are kept for 3 days, hours for 100 days, days for 10 years */
                interval?: "minute" | "hour" | "day";
                /** @description Maximum number of groups; all others are combined into one */
                limit?: number;
                /** @description Measure that selects the largest groups */
                order_by?: "requests" | "cost" | "tokens" | "errors";
                /** @description `gateway`, `none`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, `metadata.<key>` of `cf-aig-metadata`, or `tag.<key>`: the current value of this resource tag of the gateway */
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
                            /** @description The requested period, extended to whole intervals */
                            since: string;
                            until: string;
                            /** @enum {unknown} */
                            interval: "minute" | "hour" | "day";
                            group_by: string;
                            totals: {
                                requests: number;
                                /** @description Requests without success */
                                errors: number;
                                /** @description Requests served from the cache of the gateway */
                                cached: number;
                                tokens_in: number;
                                tokens_out: number;
                                /** @description Input tokens read from the cache of the provider */
                                cache_tokens: number;
                                /** @description US dollars */
                                cost: number;
                                /** @description Requests with tokens whose price is unknown; `cost` does not include them */
                                requests_without_cost: number;
                                /** @description Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage */
                                requests_with_estimate: number;
                                /** @description Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured */
                                duration: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                                /** @description Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured */
                                ttft: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                            };
                            groups: {
                                /** @description Null: requests without a value, or the group of all others */
                                value: string | null;
                                /** @description Requests of all groups that are not listed separately */
                                is_other: boolean;
                                totals: {
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests served from the cache of the gateway */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens read from the cache of the provider */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price is unknown; `cost` does not include them */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured */
                                    ttft: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                };
                                /** @description In chronological order, without intervals that had no requests */
                                series: {
                                    /** @description Start of the interval */
                                    start: string;
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests served from the cache of the gateway */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens read from the cache of the provider */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price is unknown; `cost` does not include them */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured */
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
                /** @description Search text: part of the id, the name or the slug */
                search?: string;
                /** @description Only enabled, or only disabled, providers */
                enable?: boolean;
                /** @description Only providers marked as a beta, or only others */
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
                            /** @enum {unknown} */
                            dialect: "openai" | "anthropic" | "gemini";
                            key_header?: string;
                            models: string[];
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
                    /** @description Requests address the provider as `custom-{slug}`. Unique in the account; cannot be changed */
                    slug: string;
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    /**
                     * Format: uri
                     * @description An https URL with a public host, without credentials and fragment. A query, such as `?api-version=…`, is added to each request
                     */
                    base_url: string;
                    /**
                     * @description The API of the provider: `openai` for chat completions, `anthropic` for Messages, `gemini` for generateContent
                     * @default openai
                     */
                    dialect?: "openai" | "anthropic" | "gemini" | null;
                    /**
                     * @description Request header for the key, such as `api-key`; empty: `authorization` (with Bearer), `x-api-key` or `x-goog-api-key`, by dialect
                     * @default
                     */
                    key_header?: string | null;
                    /**
                     * @description Names of models, for lists of models; requests can name others, too
                     * @default []
                     */
                    models?: string[] | null;
                    /**
                     * @description Requests may use the provider
                     * @default true
                     */
                    enable?: boolean | null;
                    /** @default  */
                    description?: string | null;
                    /**
                     * @description Link for users, such as to documentation: an http or https URL; empty: none
                     * @default
                     */
                    link?: string | null;
                    /**
                     * @description Marks the provider as a beta
                     * @default false
                     */
                    beta?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @enum {unknown} */
                            dialect: "openai" | "anthropic" | "gemini";
                            key_header?: string;
                            models: string[];
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @enum {unknown} */
                            dialect: "openai" | "anthropic" | "gemini";
                            key_header?: string;
                            models: string[];
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                            /** @enum {unknown} */
                            dialect: "openai" | "anthropic" | "gemini";
                            key_header?: string;
                            models: string[];
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name?: string;
                    /**
                     * Format: uri
                     * @description An https URL with a public host, without credentials and fragment. A query, such as `?api-version=…`, is added to each request
                     */
                    base_url?: string;
                    /**
                     * @description The API of the provider: `openai` for chat completions, `anthropic` for Messages, `gemini` for generateContent
                     * @default openai
                     */
                    dialect?: "openai" | "anthropic" | "gemini" | null;
                    /**
                     * @description Request header for the key, such as `api-key`; empty: `authorization` (with Bearer), `x-api-key` or `x-goog-api-key`, by dialect
                     * @default
                     */
                    key_header?: string | null;
                    /**
                     * @description Names of models, for lists of models; requests can name others, too
                     * @default []
                     */
                    models?: string[] | null;
                    /**
                     * @description Requests may use the provider
                     * @default true
                     */
                    enable?: boolean | null;
                    /** @default  */
                    description?: string | null;
                    /**
                     * @description Link for users, such as to documentation: an http or https URL; empty: none
                     * @default
                     */
                    link?: string | null;
                    /**
                     * @description Marks the provider as a beta
                     * @default false
                     */
                    beta?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @enum {unknown} */
                            dialect: "openai" | "anthropic" | "gemini";
                            key_header?: string;
                            models: string[];
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
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description Selectors by key of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description The rule applies to these values, which share its limit; default: all values */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has its own budget
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
                            byok_only: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            model_aliases: {
                                [key: string]: string;
                            } | null;
                            logpush: boolean;
                            workers_ai_billing_mode: string;
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
                    /** @description Each update of the gateway clears its cache */
                    cache_invalidate_on_update: boolean;
                    /** @description Lifetime of cached responses in seconds */
                    cache_ttl: number | null;
                    /** @description Log each request */
                    collect_logs: boolean;
                    /** @description Rate limit window, seconds */
                    rate_limiting_interval: number | null;
                    /** @description Requests per window */
                    rate_limiting_limit: number | null;
                    /**
                     * @description `fixed`: windows start at multiples of their length; `sliding`: the window ends now; default: fixed
                     * @enum {unknown}
                     */
                    rate_limiting_technique?: "fixed" | "sliding" | null;
                    /** @description Maximum number of calls to a provider that fails, including the first */
                    retry_max_attempts?: number | null;
                    /** @description Delay between two calls in milliseconds */
                    retry_delay?: number | null;
                    /**
                     * @description Growth of the delay; default: constant
                     * @enum {unknown}
                     */
                    retry_backoff?: "constant" | "linear" | "exponential" | null;
                    spend_limits?: {
                        /** @default true */
                        enabled?: boolean | null;
                        rules?: {
                            /** @description Generated by default */
                            id?: string | null;
                            /** @default true */
                            enabled?: boolean | null;
                            /** @description US dollars */
                            limit: number;
                            /** @enum {string} */
                            limitType: "cost";
                            /** @description Seconds */
                            window: number;
                            technique?: ("fixed" | "sliding") | null;
                            unpriced?: ("refuse" | "estimate" | "allow") | null;
                            model?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            provider?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            token?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            user?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            oauth_client?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            /** @description Selectors by key of cf-aig-metadata */
                            metadata?: {
                                [key: string]: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                            } | null;
                        }[] | null;
                    } | null;
                    /** @description Maximum number of log rows */
                    log_management?: number | null;
                    /**
                     * @description At the maximum, stop writing rows or delete the oldest ones; default: DELETE_OLDEST
                     * @enum {unknown}
                     */
                    log_management_strategy?: "STOP_INSERTING" | "DELETE_OLDEST" | null;
                    /**
                     * @description Zero data retention: log rows never contain bodies, and requests cannot change this
                     * @default false
                     */
                    zdr?: boolean | null;
                    /**
                     * @description Reject requests without a provider key of the client or of the gateway (2042). The operator's keys are not used
                     * @default false
                     */
                    byok_only?: boolean | null;
                    /**
                     * @description The price in `cf-aig-custom-cost` of an authenticated request overrides the known price of the model. Spend limits count at least the known price
                     * @default false
                     */
                    trust_custom_cost?: boolean | null;
                    otel?: {
                        /** @description URL of an OTLP/HTTP receiver: the complete URL for traces, or the base URL, to which /v1/traces is appended */
                        url: string;
                        /** @description Value of the header authorization; empty: none; the masked value: keep the stored one */
                        authorization?: string;
                        /** @description Additional headers; a masked value: keep the stored one */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @default json
                         * @enum {unknown}
                         */
                        content_type?: "json" | "protobuf";
                    }[] | null;
                    model_aliases?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description Require the permission AI Gateway Run
                     * @default true
                     */
                    authentication?: boolean | null;
                    /**
                     * @description Use the stored provider keys for unauthenticated requests
                     * @default false
                     */
                    allow_stored_keys_unauthenticated?: boolean | null;
                    /** @description True only for the id `default`; another value is rejected */
                    is_default?: boolean | null;
                    /** @description Not supported in this version: must be disabled, for example null */
                    dlp?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    guardrails?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    log_classification?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    logpush?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    logpush_public_key?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    store_id?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    stripe?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    workers_ai_billing_mode?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description Selectors by key of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description The rule applies to these values, which share its limit; default: all values */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has its own budget
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
                            byok_only: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            model_aliases: {
                                [key: string]: string;
                            } | null;
                            logpush: boolean;
                            workers_ai_billing_mode: string;
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description Selectors by key of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description The rule applies to these values, which share its limit; default: all values */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has its own budget
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
                            byok_only: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            model_aliases: {
                                [key: string]: string;
                            } | null;
                            logpush: boolean;
                            workers_ai_billing_mode: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    /** @description Each update of the gateway clears its cache */
                    cache_invalidate_on_update: boolean;
                    /** @description Lifetime of cached responses in seconds */
                    cache_ttl: number | null;
                    /** @description Log each request */
                    collect_logs: boolean;
                    /** @description Rate limit window, seconds */
                    rate_limiting_interval: number | null;
                    /** @description Requests per window */
                    rate_limiting_limit: number | null;
                    /**
                     * @description `fixed`: windows start at multiples of their length; `sliding`: the window ends now; default: fixed
                     * @enum {unknown}
                     */
                    rate_limiting_technique?: "fixed" | "sliding" | null;
                    /** @description Maximum number of calls to a provider that fails, including the first */
                    retry_max_attempts?: number | null;
                    /** @description Delay between two calls in milliseconds */
                    retry_delay?: number | null;
                    /**
                     * @description Growth of the delay; default: constant
                     * @enum {unknown}
                     */
                    retry_backoff?: "constant" | "linear" | "exponential" | null;
                    spend_limits?: {
                        /** @default true */
                        enabled?: boolean | null;
                        rules?: {
                            /** @description Generated by default */
                            id?: string | null;
                            /** @default true */
                            enabled?: boolean | null;
                            /** @description US dollars */
                            limit: number;
                            /** @enum {string} */
                            limitType: "cost";
                            /** @description Seconds */
                            window: number;
                            technique?: ("fixed" | "sliding") | null;
                            unpriced?: ("refuse" | "estimate" | "allow") | null;
                            model?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            provider?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            token?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            user?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            oauth_client?: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            } | null;
                            /** @description Selectors by key of cf-aig-metadata */
                            metadata?: {
                                [key: string]: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                            } | null;
                        }[] | null;
                    } | null;
                    /** @description Maximum number of log rows */
                    log_management?: number | null;
                    /**
                     * @description At the maximum, stop writing rows or delete the oldest ones; default: DELETE_OLDEST
                     * @enum {unknown}
                     */
                    log_management_strategy?: "STOP_INSERTING" | "DELETE_OLDEST" | null;
                    /**
                     * @description Zero data retention: log rows never contain bodies, and requests cannot change this
                     * @default false
                     */
                    zdr?: boolean | null;
                    /**
                     * @description Reject requests without a provider key of the client or of the gateway (2042). The operator's keys are not used
                     * @default false
                     */
                    byok_only?: boolean | null;
                    /**
                     * @description The price in `cf-aig-custom-cost` of an authenticated request overrides the known price of the model. Spend limits count at least the known price
                     * @default false
                     */
                    trust_custom_cost?: boolean | null;
                    otel?: {
                        /** @description URL of an OTLP/HTTP receiver: the complete URL for traces, or the base URL, to which /v1/traces is appended */
                        url: string;
                        /** @description Value of the header authorization; empty: none; the masked value: keep the stored one */
                        authorization?: string;
                        /** @description Additional headers; a masked value: keep the stored one */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @default json
                         * @enum {unknown}
                         */
                        content_type?: "json" | "protobuf";
                    }[] | null;
                    model_aliases?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description Require the permission AI Gateway Run
                     * @default true
                     */
                    authentication?: boolean | null;
                    /**
                     * @description Use the stored provider keys for unauthenticated requests
                     * @default false
                     */
                    allow_stored_keys_unauthenticated?: boolean | null;
                    /** @description True only for the id `default`; another value is rejected */
                    is_default?: boolean | null;
                    /** @description Not supported in this version: must be disabled, for example null */
                    dlp?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    guardrails?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    log_classification?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    logpush?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    logpush_public_key?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    store_id?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    stripe?: unknown;
                    /** @description Not supported in this version: must be disabled, for example null */
                    workers_ai_billing_mode?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description Selectors by key of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description The rule applies to these values, which share its limit; default: all values */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has its own budget
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
                            byok_only: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            model_aliases: {
                                [key: string]: string;
                            } | null;
                            logpush: boolean;
                            workers_ai_billing_mode: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    provider?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    token?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    user?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    oauth_client?: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                    /** @description Selectors by key of cf-aig-metadata */
                                    metadata?: {
                                        [key: string]: {
                                            /** @enum {string} */
                                            mode: "filter";
                                            /** @description The rule applies to these values, which share its limit; default: all values */
                                            values: string[];
                                        } | {
                                            /**
                                             * @description Each value has its own budget
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
                            byok_only: boolean;
                            otel: {
                                url: string;
                                authorization?: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @enum {string} */
                                content_type: "json";
                            }[] | null;
                            model_aliases: {
                                [key: string]: string;
                            } | null;
                            logpush: boolean;
                            workers_ai_billing_mode: string;
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
                /** @description End of the period, exclusive, as an RFC 3339 date-time; default: now */
                until?: string;
                /** @description Interval of the time series, in UTC; default: the shortest that fits. Minutes are kept for 3 days, hours for 100 days, days for 10 years */
                interval?: "minute" | "hour" | "day";
                /** @description Maximum number of groups; all others are combined into one */
                limit?: number;
                /** @description Measure that selects the largest groups */
                order_by?: "requests" | "cost" | "tokens" | "errors";
                /** @description `none`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, `metadata.<key>` of `cf-aig-metadata`, or `tag.<key>`: the current value of this resource tag of the gateway */
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
                            /** @description The requested period, extended to whole intervals */
                            since: string;
                            until: string;
                            /** @enum {unknown} */
                            interval: "minute" | "hour" | "day";
                            group_by: string;
                            totals: {
                                requests: number;
                                /** @description Requests without success */
                                errors: number;
                                /** @description Requests served from the cache of the gateway */
                                cached: number;
                                tokens_in: number;
                                tokens_out: number;
                                /** @description Input tokens read from the cache of the provider */
                                cache_tokens: number;
                                /** @description US dollars */
                                cost: number;
                                /** @description Requests with tokens whose price is unknown; `cost` does not include them */
                                requests_without_cost: number;
                                /** @description Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage */
                                requests_with_estimate: number;
                                /** @description Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured */
                                duration: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                                /** @description Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured */
                                ttft: {
                                    p50: number;
                                    p95: number;
                                    p99: number;
                                } | null;
                            };
                            groups: {
                                /** @description Null: requests without a value, or the group of all others */
                                value: string | null;
                                /** @description Requests of all groups that are not listed separately */
                                is_other: boolean;
                                totals: {
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests served from the cache of the gateway */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens read from the cache of the provider */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price is unknown; `cost` does not include them */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured */
                                    ttft: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                };
                                /** @description In chronological order, without intervals that had no requests */
                                series: {
                                    /** @description Start of the interval */
                                    start: string;
                                    requests: number;
                                    /** @description Requests without success */
                                    errors: number;
                                    /** @description Requests served from the cache of the gateway */
                                    cached: number;
                                    tokens_in: number;
                                    tokens_out: number;
                                    /** @description Input tokens read from the cache of the provider */
                                    cache_tokens: number;
                                    /** @description US dollars */
                                    cost: number;
                                    /** @description Requests with tokens whose price is unknown; `cost` does not include them */
                                    requests_without_cost: number;
                                    /** @description Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage */
                                    requests_with_estimate: number;
                                    /** @description Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured */
                                    duration: {
                                        p50: number;
                                        p95: number;
                                        p99: number;
                                    } | null;
                                    /** @description Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured */
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
                /** @description Unknown values come last */
                order_by?: "created_at" | "provider" | "model" | "model_type" | "success" | "cached" | "cost" | "tokens_in" | "tokens_out" | "duration" | "feedback";
                /** @description Sort direction; default: desc (newest first) */
                order_by_direction?: "asc" | "desc";
                /** @description Search text: part of the metadata, the model, the provider or the path; case-insensitive */
                search?: string;
                /** @description Adds the minimum and maximum values of all logs to `result_info` */
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
                            /** @description Milliseconds from the request to the end of the response */
                            duration: number;
                            /** @description Milliseconds to the first byte of the response */
                            ttft: number | null;
                            tokens_in: number | null;
                            tokens_out: number | null;
                            request_type: string;
                            request_content_type?: string;
                            response_content_type?: string;
                            /** @description Index of the provider in a universal request, from 0 */
                            step: number;
                            /** @description Number of calls to that provider */
                            attempts: number;
                            /** @description Input tokens read from the cache of the provider */
                            cache_tokens: number | null;
                            /** @description US dollars; absent: the price is unknown */
                            cost?: number;
                            /** @description The price comes from `cf-aig-custom-cost` */
                            custom_cost: boolean;
                            /** @description `provider`: the provider counted the tokens; `estimate`: the gateway estimated them, for example because the response was incomplete; `answer_model`: the provider counted them, and the price is that of the model in the response; null: no tokens */
                            usage_source: string | null;
                            /** @description The metadata of `cf-aig-metadata` as JSON text */
                            metadata?: string;
                            event_id: string | null;
                            /** @description The user on whose behalf the call was made */
                            user_id: string | null;
                            oauth_client_id: string | null;
                            /** @description The API token, or the OAuth client that acted for a user */
                            token_id: string | null;
                            /** @description `text-generation` or `embeddings`, if the operation determines it */
                            model_type?: string;
                            /** @description Feedback on the response: -1, 0 or 1 */
                            feedback: number | null;
                            score: number | null;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                            total_count: number;
                            total_pages: number;
                            /** @description There are too many logs to count */
                            total_count_is_estimated?: boolean;
                            /** @description Null: unknown */
                            min_cost?: number | null;
                            /** @description Null: unknown */
                            max_cost?: number | null;
                            /** @description Null: unknown */
                            min_duration?: number | null;
                            /** @description Null: unknown */
                            max_duration?: number | null;
                            /** @description Null: unknown */
                            min_tokens_in?: number | null;
                            /** @description Null: unknown */
                            max_tokens_in?: number | null;
                            /** @description Null: unknown */
                            min_tokens_out?: number | null;
                            /** @description Null: unknown */
                            max_tokens_out?: number | null;
                            /** @description Null: unknown */
                            min_total_tokens?: number | null;
                            /** @description Null: unknown */
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
                /** @description Unknown values come last */
                order_by?: "created_at" | "provider" | "model" | "model_type" | "success" | "cached" | "cost" | "tokens_in" | "tokens_out" | "duration" | "feedback";
                /** @description Sort direction; default: desc (newest first) */
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
                            /** @description Number of deleted logs; more may remain if it equals the limit */
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Log id: a UUIDv7, as in the header `cf-aig-log-id` */
                log_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Milliseconds from the request to the end of the response */
                            duration: number;
                            /** @description Milliseconds to the first byte of the response */
                            ttft: number | null;
                            tokens_in: number | null;
                            tokens_out: number | null;
                            request_type: string;
                            request_content_type?: string;
                            response_content_type?: string;
                            /** @description Index of the provider in a universal request, from 0 */
                            step: number;
                            /** @description Number of calls to that provider */
                            attempts: number;
                            /** @description Input tokens read from the cache of the provider */
                            cache_tokens: number | null;
                            /** @description US dollars; absent: the price is unknown */
                            cost?: number;
                            /** @description The price comes from `cf-aig-custom-cost` */
                            custom_cost: boolean;
                            /** @description `provider`: the provider counted the tokens; `estimate`: the gateway estimated them, for example because the response was incomplete; `answer_model`: the provider counted them, and the price is that of the model in the response; null: no tokens */
                            usage_source: string | null;
                            /** @description The metadata of `cf-aig-metadata` as JSON text */
                            metadata?: string;
                            event_id: string | null;
                            /** @description The user on whose behalf the call was made */
                            user_id: string | null;
                            oauth_client_id: string | null;
                            /** @description The API token, or the OAuth client that acted for a user */
                            token_id: string | null;
                            /** @description `text-generation` or `embeddings`, if the operation determines it */
                            model_type?: string;
                            /** @description Feedback on the response: -1, 0 or 1 */
                            feedback: number | null;
                            score: number | null;
                            /** @description The beginning of the body as text; absent: not logged */
                            request_head?: string;
                            request_head_complete?: boolean;
                            /** @description Size of the original body in bytes; absent: not logged */
                            request_size?: number;
                            /** @description The header fields that may be logged */
                            request_headers: {
                                [key: string]: unknown;
                            } | null;
                            /** @description The beginning of the body as text; absent: not logged */
                            response_head?: string;
                            response_head_complete?: boolean;
                            /** @description Size of the original body in bytes; absent: not logged */
                            response_size?: number;
                            /** @description The header fields that may be logged */
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                gateway_id: string;
                /** @description Log id: a UUIDv7, as in the header `cf-aig-log-id` */
                log_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Feedback on the response; null: none
                     * @enum {unknown}
                     */
                    feedback?: -1 | 0 | 1 | null;
                    score?: number | null;
                    /** @description Replaces the metadata of the request */
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Milliseconds from the request to the end of the response */
                            duration: number;
                            /** @description Milliseconds to the first byte of the response */
                            ttft: number | null;
                            tokens_in: number | null;
                            tokens_out: number | null;
                            request_type: string;
                            request_content_type?: string;
                            response_content_type?: string;
                            /** @description Index of the provider in a universal request, from 0 */
                            step: number;
                            /** @description Number of calls to that provider */
                            attempts: number;
                            /** @description Input tokens read from the cache of the provider */
                            cache_tokens: number | null;
                            /** @description US dollars; absent: the price is unknown */
                            cost?: number;
                            /** @description The price comes from `cf-aig-custom-cost` */
                            custom_cost: boolean;
                            /** @description `provider`: the provider counted the tokens; `estimate`: the gateway estimated them, for example because the response was incomplete; `answer_model`: the provider counted them, and the price is that of the model in the response; null: no tokens */
                            usage_source: string | null;
                            /** @description The metadata of `cf-aig-metadata` as JSON text */
                            metadata?: string;
                            event_id: string | null;
                            /** @description The user on whose behalf the call was made */
                            user_id: string | null;
                            oauth_client_id: string | null;
                            /** @description The API token, or the OAuth client that acted for a user */
                            token_id: string | null;
                            /** @description `text-generation` or `embeddings`, if the operation determines it */
                            model_type?: string;
                            /** @description Feedback on the response: -1, 0 or 1 */
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
                /** @description Log id: a UUIDv7, as in the header `cf-aig-log-id` */
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
                    "application/json": unknown;
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
                /** @description Log id: a UUIDv7, as in the header `cf-aig-log-id` */
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
                    "application/json": unknown;
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
                    /** @description Unique for the provider; requests select the key with it in cf-aig-byok-alias */
                    alias: string;
                    /** @description Use this key for requests without an alias. The former default key loses this role */
                    default_config: boolean;
                    /** @description A built-in provider, or `custom-` followed by the slug of a custom provider */
                    provider_slug: string;
                    /** @description The key: one line of printable ASCII, or a JSON object such as a service account key. At most 16 KiB. Never shown again */
                    secret?: string | null;
                    /** @description Scheme and host: the key is sent only there. Cannot be changed. Required for azure-openai, for example `https://my-resource.openai.azure.com`, unless the operator configures its address. Not allowed for custom providers, which have a `base_url` */
                    origin?: string | null;
                    /** @description Not supported in this version: there is no secret store */
                    secret_id?: unknown;
                    /** @description Requests with this key in each period; 0 or null: no limit */
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    /** @description Unique for the provider; requests select the key with it in cf-aig-byok-alias */
                    alias?: string;
                    default_config?: boolean;
                    /** @description The key: one line of printable ASCII, or a JSON object such as a service account key. At most 16 KiB. Never shown again */
                    secret?: string;
                    /** @description Requests with this key in each period; 0 or null: no limit */
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Enabled rules in their order */
                            rules: {
                                id: string;
                                /** @description US dollars */
                                limit: number;
                                /** @description Seconds */
                                window: number;
                                /** @enum {unknown} */
                                technique: "fixed" | "sliding";
                                window_start: string;
                                /** @description Null for a sliding window, which ends now */
                                window_end: string | null;
                                /** @description One budget, or one for each value of the partition: at most 20, the largest first. Values are cut at 256 characters, and credentials in them are removed */
                                budgets: {
                                    /**
                                     * @description The budget that all unauthenticated clients share
                                     * @enum {string}
                                     */
                                    caller?: "unauthenticated";
                                    model?: string;
                                    provider?: string;
                                    /** @description Id of the API token or the OAuth client; null: calls without one */
                                    token?: string | null;
                                    /** @description Id of the user on whose behalf the call was made; null: calls without a user */
                                    user?: string | null;
                                    /** @description Id of the OAuth client; null: calls without one */
                                    oauth_client?: string | null;
                                    metadata?: {
                                        [key: string]: string;
                                    };
                                    /** @description US dollars; can exceed the limit */
                                    spent: number;
                                    /** @description Time at which budget is available again; null: available now */
                                    resets_at: string | null;
                                }[];
                                /** @enum {unknown} */
                                unpriced: "refuse" | "estimate" | "allow";
                                /** @description Calls of models without a known price in this window, which the rule allows because `unpriced` is `allow` */
                                unpriced_calls: number;
                                /** @description Number of further budgets with spend; exact up to a few thousand */
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    not_before?: string | null;
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    expires_on?: string | null;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            in?: string[] | null;
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            not_in?: string[] | null;
                        } | null;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
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
                /** @description Slug of the provider; `compat` for the OpenAI API of all providers */
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
                            /** @description Enabled rules in their order */
                            rules: {
                                id: string;
                                /** @description US dollars */
                                limit: number;
                                /** @description Seconds */
                                window: number;
                                /** @enum {unknown} */
                                technique: "fixed" | "sliding";
                                window_start: string;
                                /** @description Null for a sliding window, which ends now */
                                window_end: string | null;
                                /** @description One budget, or one for each value of the partition: at most 20, the largest first. Values are cut at 256 characters, and credentials in them are removed */
                                budgets: {
                                    /**
                                     * @description The budget that all unauthenticated clients share
                                     * @enum {string}
                                     */
                                    caller?: "unauthenticated";
                                    model?: string;
                                    provider?: string;
                                    /** @description Id of the API token or the OAuth client; null: calls without one */
                                    token?: string | null;
                                    /** @description Id of the user on whose behalf the call was made; null: calls without a user */
                                    user?: string | null;
                                    /** @description Id of the OAuth client; null: calls without one */
                                    oauth_client?: string | null;
                                    metadata?: {
                                        [key: string]: string;
                                    };
                                    /** @description US dollars; can exceed the limit */
                                    spent: number;
                                    /** @description Time at which budget is available again; null: available now */
                                    resets_at: string | null;
                                }[];
                                /** @enum {unknown} */
                                unpriced: "refuse" | "estimate" | "allow";
                                /** @description Calls of models without a known price in this window, which the rule allows because `unpriced` is `allow` */
                                unpriced_calls: number;
                                /** @description Number of further budgets with spend; exact up to a few thousand */
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                provider?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                token?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                user?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                oauth_client?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                /** @description Selectors by key of cf-aig-metadata */
                                metadata?: {
                                    [key: string]: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                };
                                /** @description Values by key of resource tags: the rule applies to gateways that have, for each key, one of the values. Default: all gateways of the account */
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    enabled?: boolean | null;
                    rules?: {
                        /** @description Generated by default */
                        id?: string | null;
                        /** @default true */
                        enabled?: boolean | null;
                        /** @description US dollars */
                        limit: number;
                        /** @enum {string} */
                        limitType: "cost";
                        /** @description Seconds */
                        window: number;
                        technique?: ("fixed" | "sliding") | null;
                        unpriced?: ("refuse" | "estimate" | "allow") | null;
                        model?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description The rule applies to these values, which share its limit; default: all values */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has its own budget
                             * @enum {string}
                             */
                            mode: "partition";
                        } | null;
                        provider?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description The rule applies to these values, which share its limit; default: all values */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has its own budget
                             * @enum {string}
                             */
                            mode: "partition";
                        } | null;
                        token?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description The rule applies to these values, which share its limit; default: all values */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has its own budget
                             * @enum {string}
                             */
                            mode: "partition";
                        } | null;
                        user?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description The rule applies to these values, which share its limit; default: all values */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has its own budget
                             * @enum {string}
                             */
                            mode: "partition";
                        } | null;
                        oauth_client?: {
                            /** @enum {string} */
                            mode: "filter";
                            /** @description The rule applies to these values, which share its limit; default: all values */
                            values: string[];
                        } | {
                            /**
                             * @description Each value has its own budget
                             * @enum {string}
                             */
                            mode: "partition";
                        } | null;
                        /** @description Selectors by key of cf-aig-metadata */
                        metadata?: {
                            [key: string]: {
                                /** @enum {string} */
                                mode: "filter";
                                /** @description The rule applies to these values, which share its limit; default: all values */
                                values: string[];
                            } | {
                                /**
                                 * @description Each value has its own budget
                                 * @enum {string}
                                 */
                                mode: "partition";
                            };
                        } | null;
                        /** @description Values by key of resource tags: the rule applies to gateways that have, for each key, one of the values. Default: all gateways of the account */
                        gateway_tags?: {
                            [key: string]: {
                                /** @enum {string} */
                                mode: "filter";
                                values: string[];
                            };
                        } | null;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                provider?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                token?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                user?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                oauth_client?: {
                                    /** @enum {string} */
                                    mode: "filter";
                                    /** @description The rule applies to these values, which share its limit; default: all values */
                                    values: string[];
                                } | {
                                    /**
                                     * @description Each value has its own budget
                                     * @enum {string}
                                     */
                                    mode: "partition";
                                };
                                /** @description Selectors by key of cf-aig-metadata */
                                metadata?: {
                                    [key: string]: {
                                        /** @enum {string} */
                                        mode: "filter";
                                        /** @description The rule applies to these values, which share its limit; default: all values */
                                        values: string[];
                                    } | {
                                        /**
                                         * @description Each value has its own budget
                                         * @enum {string}
                                         */
                                        mode: "partition";
                                    };
                                };
                                /** @description Values by key of resource tags: the rule applies to gateways that have, for each key, one of the values. Default: all gateways of the account */
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
    "search-models": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                /** @description Part of the id or the display name */
                search?: string;
                /** @description Exact provider */
                author?: string;
                /** @description No effect: no model is experimental */
                hide_experimental?: boolean;
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
                            /** @description `provider/model`, as requests name it */
                            id: string;
                            /** @description Same as `id` */
                            name: string;
                            /** @description Provider */
                            author: string;
                            /** @description Display name */
                            description: string;
                            tags: string[];
                            properties: {
                                property_id: string;
                                value: string;
                            }[];
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
    "run-model": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResult"];
                    "text/event-stream": string;
                };
            };
        };
    };
    "run-named-model": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
                /** @description `provider/model`. Its slashes need no encoding */
                model: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResult"];
                    "text/event-stream": string;
                };
            };
        };
    };
    "create-chat-completion": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": string;
                };
            };
        };
    };
    "create-embeddings": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Embeddings"];
                };
            };
        };
    };
    "create-message": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                    "text/event-stream": string;
                };
            };
        };
    };
    "create-token-count": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCountRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCount"];
                };
            };
        };
    };
    "list-models": {
        parameters: {
            query?: {
                /** @description Number of models, 1 to 1000. Default: all */
                limit?: string;
                /** @description Returns the models behind this one */
                after_id?: string;
            };
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
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
                    "application/json": components["schemas"]["ModelList"];
                };
            };
        };
    };
    "get-model": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
                /** @description `provider/model`. Its slashes need no encoding */
                model: string;
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
                    "application/json": components["schemas"]["Model"];
                };
            };
        };
    };
    "create-response": {
        parameters: {
            query?: never;
            header?: {
                /** @description The gateway. Default: `default` */
                "cf-aig-gateway-id"?: string;
            };
            path: {
                /** @description The account */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": string;
                };
            };
        };
    };
    "list-audit-logs-by-page": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                id?: string;
                "action.type"?: string;
                "actor.email"?: string;
                /** @description Exact address */
                "actor.ip"?: string;
                /** @description Start of the period, inclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                since?: string;
                /** @description End of the period, exclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                before?: string;
                /** @description Sort order; `desc` is newest first */
                direction?: "asc" | "desc";
                /** @description No effect: an account never lists the activities of users outside of it */
                hide_user_logs?: boolean;
                /** @description No entry has a zone, so that none matches */
                "zone.name"?: string;
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
                            action: {
                                type: string;
                                result: boolean;
                            };
                            actor: {
                                id?: string;
                                email?: string;
                                ip?: string;
                                /**
                                 * @description `user` for people and tokens, `admin` for the operator and the server itself
                                 * @enum {unknown}
                                 */
                                type: "user" | "admin" | "Cloudflare";
                            };
                            /** @description `API` or `UI` */
                            interface: string;
                            metadata: {
                                description: string;
                            };
                            /** @description Always empty: see `list-audit-logs` */
                            newValue: string;
                            /** @description Always empty */
                            oldValue: string;
                            owner: {
                                id: string;
                            };
                            resource: {
                                id?: string;
                                type: string;
                            };
                            when: string;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                        };
                    };
                };
            };
        };
    };
    "list-iam-permission-groups": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                id?: string;
                /** @description Exact name */
                name?: string;
                /** @description Exact label */
                label?: string;
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
                            meta: {
                                /** @description Slug, such as `tags_read` */
                                label: string;
                                /** @description `com.<brand>.api.account` or `.user` */
                                scopes: string;
                                category: string;
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
    "get-iam-permission-group": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Permission group id: 32 hex digits */
                permission_group_id: string;
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
                            meta: {
                                /** @description Slug, such as `tags_read` */
                                label: string;
                                /** @description `com.<brand>.api.account` or `.user` */
                                scopes: string;
                                category: string;
                            };
                        };
                    };
                };
            };
        };
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
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
    "get-audit-log-history": {
        parameters: {
            query: {
                /** @description `action.time` of the entry: an RFC 3339 date-time */
                action_time: string;
                /** @description Start of the period, inclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                since: string;
                /** @description End of the period, exclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                before: string;
                /** @description Sort order; `desc` is newest first */
                direction?: "asc" | "desc";
                limit?: number;
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
                /** @description Id of an audit log entry */
                entry_id: string;
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
                            /**
                             * @description `unavailable`: the entry names no resource
                             * @enum {unknown}
                             */
                            history_status: "exact" | "unavailable";
                        };
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
                            /** @description Present for a pending member */
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
                    /** Format: email */
                    email: string;
                    /** @description Role ids, or objects `{"id": …}` */
                    roles?: (string | {
                        id: string;
                    })[] | null;
                    status?: ("accepted" | "pending") | null;
                    /** @description Not supported: assign roles instead. PUT accepts the unchanged policies of the member */
                    policies?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Present for a pending member */
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Present for a pending member */
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    })[] | null;
                    /** @description Not supported: assign roles instead. PUT accepts the unchanged policies of the member */
                    policies?: unknown;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Present for a pending member */
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                            /** @description Present for a pending member */
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
                            post_logout_redirect_uris?: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins?: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @default ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            id_token_claims: boolean;
                            backchannel_logout_uri?: string;
                            backchannel_logout_session_required?: boolean;
                            /** @description Verification that the owner of the client controls the host of client_uri; present if client_uri is set */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first lookup, `in_progress` before further lookups
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description The exact text that a TXT record of the host must contain */
                                text: string;
                                /** @description The host name of the TXT record */
                                host: string;
                                /** @description Time at which the verification fails; absent when it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description Reason why the last lookup did not find the record */
                                problem?: string;
                                /** @description Present if 3 consecutive daily lookups of a verified host did not find the record. Lookups without a response do not count */
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
                    /** @description 1 to 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. The settings REDIRECT_SCHEMES and REDIRECT_HTTP_HOSTS allow more. Stored byte for byte */
                    redirect_uris: string[];
                    /**
                     * @description Ids from the list of scopes, or `profile` and `email`. The server always adds `openid`, and adds `offline_access` if grant_types contains refresh_token
                     * @default [
                     *       "profile",
                     *       "email"
                     *     ]
                     */
                    scopes?: string[] | null;
                    /**
                     * @description Scopes that the user may decline; never openid or offline_access
                     * @default []
                     */
                    optional_scopes?: string[] | null;
                    /** @description At most 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. The settings REDIRECT_SCHEMES and REDIRECT_HTTP_HOSTS allow more */
                    post_logout_redirect_uris?: string[] | null;
                    /** @description Logo of the client: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    logo_uri?: string | null;
                    /** @description Privacy policy: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    policy_uri?: string | null;
                    /** @description Terms of service: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    tos_uri?: string | null;
                    /** @description Home page of the client, whose host can be verified: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    client_uri?: string | null;
                    /** @description At most 100 origins whose pages may call the token endpoint: scheme, host and port */
                    allowed_cors_origins?: string[] | null;
                    id_token_signed_response_alg?: ("ES256" | "RS256") | null;
                    /**
                     * @description ID tokens contain the claims of the granted scopes `profile`, `email` and `groups`. Userinfo always returns them
                     * @default true
                     */
                    id_token_claims?: boolean | null;
                    /** @description The server posts a logout token there when a session ends in which a user has authorized the client: https (http for the hosts of redirect URIs), without fragment. Empty or null for none */
                    backchannel_logout_uri?: string | null;
                    /** @description The client requires `sid` in logout tokens, which the server always sends */
                    backchannel_logout_session_required?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            post_logout_redirect_uris?: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins?: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @default ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            id_token_claims: boolean;
                            backchannel_logout_uri?: string;
                            backchannel_logout_session_required?: boolean;
                            /** @description Verification that the owner of the client controls the host of client_uri; present if client_uri is set */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first lookup, `in_progress` before further lookups
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description The exact text that a TXT record of the host must contain */
                                text: string;
                                /** @description The host name of the TXT record */
                                host: string;
                                /** @description Time at which the verification fails; absent when it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description Reason why the last lookup did not find the record */
                                problem?: string;
                                /** @description Present if 3 consecutive daily lookups of a verified host did not find the record. Lookups without a response do not count */
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            post_logout_redirect_uris?: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins?: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @default ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            id_token_claims: boolean;
                            backchannel_logout_uri?: string;
                            backchannel_logout_session_required?: boolean;
                            /** @description Verification that the owner of the client controls the host of client_uri; present if client_uri is set */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first lookup, `in_progress` before further lookups
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description The exact text that a TXT record of the host must contain */
                                text: string;
                                /** @description The host name of the TXT record */
                                host: string;
                                /** @description Time at which the verification fails; absent when it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description Reason why the last lookup did not find the record */
                                problem?: string;
                                /** @description Present if 3 consecutive daily lookups of a verified host did not find the record. Lookups without a response do not count */
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    /** @description 1 to 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. The settings REDIRECT_SCHEMES and REDIRECT_HTTP_HOSTS allow more. Stored byte for byte */
                    redirect_uris?: string[];
                    /**
                     * @description Ids from the list of scopes, or `profile` and `email`. The server always adds `openid`, and adds `offline_access` if grant_types contains refresh_token
                     * @default [
                     *       "profile",
                     *       "email"
                     *     ]
                     */
                    scopes?: string[] | null;
                    /**
                     * @description Scopes that the user may decline; never openid or offline_access
                     * @default []
                     */
                    optional_scopes?: string[] | null;
                    /** @description At most 100, each absolute, at most 2048 characters, without fragment, user name, wildcard, blank or backslash; https, or http for localhost, 127.0.0.1 and [::1], or for clients without secret a private-use scheme in reverse-domain form. The settings REDIRECT_SCHEMES and REDIRECT_HTTP_HOSTS allow more */
                    post_logout_redirect_uris?: string[] | null;
                    /** @description Logo of the client: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    logo_uri?: string | null;
                    /** @description Privacy policy: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    policy_uri?: string | null;
                    /** @description Terms of service: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    tos_uri?: string | null;
                    /** @description Home page of the client, whose host can be verified: https (http for loopback hosts), at most 2048 characters. Empty or null for none */
                    client_uri?: string | null;
                    /** @description At most 100 origins whose pages may call the token endpoint: scheme, host and port */
                    allowed_cors_origins?: string[] | null;
                    id_token_signed_response_alg?: ("ES256" | "RS256") | null;
                    /**
                     * @description ID tokens contain the claims of the granted scopes `profile`, `email` and `groups`. Userinfo always returns them
                     * @default true
                     */
                    id_token_claims?: boolean | null;
                    /** @description The server posts a logout token there when a session ends in which a user has authorized the client: https (http for the hosts of redirect URIs), without fragment. Empty or null for none */
                    backchannel_logout_uri?: string | null;
                    /** @description The client requires `sid` in logout tokens, which the server always sends */
                    backchannel_logout_session_required?: boolean | null;
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            post_logout_redirect_uris?: string[];
                            logo_uri?: string;
                            policy_uri?: string;
                            tos_uri?: string;
                            client_uri?: string;
                            allowed_cors_origins?: string[];
                            /**
                             * @description Signature algorithm of ID tokens. Default: ES256
                             * @default ES256
                             * @enum {unknown}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            id_token_claims: boolean;
                            backchannel_logout_uri?: string;
                            backchannel_logout_session_required?: boolean;
                            /** @description Verification that the owner of the client controls the host of client_uri; present if client_uri is set */
                            client_uri_verification?: {
                                /**
                                 * @description `pending` before the first lookup, `in_progress` before further lookups
                                 * @enum {unknown}
                                 */
                                status: "pending" | "in_progress" | "verified" | "failed";
                                /** @description The exact text that a TXT record of the host must contain */
                                text: string;
                                /** @description The host name of the TXT record */
                                host: string;
                                /** @description Time at which the verification fails; absent when it is complete */
                                expires_at?: string;
                                last_checked_at: string | null;
                                verified_at?: string;
                                /** @description Reason why the last lookup did not find the record */
                                problem?: string;
                                /** @description Present if 3 consecutive daily lookups of a verified host did not find the record. Lookups without a response do not count */
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
                            /** @description Id of the client */
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
                /** @description Worker of the `worker_version`; must match the stored worker */
                worker_id?: string;
            };
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Value for `If-Match`; same as the `ETag` header */
                            etag: string;
                            /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For example `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
                    tags: {
                        [key: string]: string;
                    };
                    /** @description Name of a resource outside of this server; default: its id. Resources of this server keep the name of their record. */
                    name?: string | null;
                    /** @description Required for `worker_version` */
                    worker_id?: string | null;
                    zone_id?: string | null;
                    access_application_id?: string | null;
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
                            /** @description Value for `If-Match`; same as the `ETag` header */
                            etag: string;
                            /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
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
                resource_type?: string | string[];
                resource_id?: string | string[];
                worker_id?: string | string[];
            };
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description For example `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    worker_id?: string | null;
                };
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Account id: 32 hex digits */
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For example `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    /** @description Changes to individual tags; `null` removes a tag. All other tags keep their values. */
                    tags: {
                        [key: string]: string | null;
                    };
                    /** @description Name of a resource outside of this server; default: its id. Resources of this server keep the name of their record. */
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
                            /** @description Value for `If-Match`; same as the `ETag` header */
                            etag: string;
                            /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
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
                    /** @description Executed in this order */
                    operations?: ({
                        /** @enum {string} */
                        op: "put";
                        /** @description For example `worker` or `zone` */
                        resource_type: string;
                        resource_id: string;
                        /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
                        tags: {
                            [key: string]: string;
                        };
                        /** @description Name of a resource outside of this server; default: its id. Resources of this server keep the name of their record. */
                        name?: string;
                        /** @description Required for `worker_version` */
                        worker_id?: string;
                        zone_id?: string;
                        access_application_id?: string;
                        /** @description Same as the header `If-Match` of a request for this resource */
                        if_match?: string;
                    } | {
                        /** @enum {string} */
                        op: "patch";
                        /** @description For example `worker` or `zone` */
                        resource_type: string;
                        resource_id: string;
                        /** @description Changes to individual tags; `null` removes a tag. All other tags keep their values. */
                        tags: {
                            [key: string]: string | null;
                        };
                        /** @description Name of a resource outside of this server; default: its id. Resources of this server keep the name of their record. */
                        name?: string;
                        /** @description Required for `worker_version` */
                        worker_id?: string;
                        zone_id?: string;
                        access_application_id?: string;
                        /** @description Same as the header `If-Match` of a request for this resource */
                        if_match?: string;
                    } | {
                        /** @enum {string} */
                        op: "delete";
                        /** @description For example `worker` or `zone` */
                        resource_type: string;
                        resource_id: string;
                        worker_id?: string;
                        /** @description Same as the header `If-Match` of a request for this resource */
                        if_match?: string;
                    } | unknown)[] | null;
                    /** @description Parameters of the list of tagged resources; resources match all of them */
                    filter?: {
                        tag?: string[] | null;
                        type?: string[] | null;
                        id?: string[] | null;
                        name?: string | null;
                        case_insensitive?: boolean | null;
                        all?: true | null;
                    } | null;
                    /** @description With `filter`: the tags to merge into every matching resource */
                    tags?: {
                        [key: string]: string | null;
                    } | null;
                    /**
                     * @description Only report the effect, without writing
                     * @default false
                     */
                    dry_run?: boolean | null;
                    /**
                     * @description With `filter`: the maximum number of resources to write
                     * @default 1000
                     */
                    limit?: number | null;
                    /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
                    cursor?: string | null;
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
                            /** @description Number of successful operations that changed nothing */
                            unchanged: number;
                            /** @description One result for each operation, in the same order; with `filter` one for each resource, in list order */
                            results: {
                                resource_type?: string;
                                resource_id?: string;
                                success: boolean;
                                /** @description True if a successful operation changed stored data */
                                changed?: boolean;
                                /** @description The ETag after a successful operation */
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
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
                cursor?: string;
                limit?: number;
                /** @description Without a cursor: start with the changes after this request instead of the oldest stored change */
                start?: "now";
                /** @description Only resources of this type; repeat the parameter for several types */
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
                            /** @description The ETag of all tags of the resource after the change */
                            etag: string;
                            /** @description New values of the changed tags (RFC 7396); null: deleted */
                            tags: {
                                [key: string]: string | null;
                            };
                            /** @description The resource no longer has tags */
                            deleted: boolean;
                            changed_at: string;
                            /** @description Id of the request that made the change */
                            request_id?: string;
                            /** @description Cursor of the position after this change */
                            cursor: string;
                        }[];
                        result_info: {
                            count: number;
                            cursor?: string;
                            cursors?: {
                                after: string;
                            };
                            /** @description Cursor of the next changes, also on the last page */
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
                /** @description Only resources of this type; repeat the parameter for several types */
                type?: string[];
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
                /** @description `key`, `key=value`, `key=v1,v2` (any of them), `!key`, `key!=value`, `key!=v1,v2`; repeat the parameter for up to 20 conditions, which must all match. In values, `\,` is a comma and `\\` a backslash. Negations also match resources without the key. */
                tag?: string[];
                /** @description Only resources of this type; repeat the parameter for several types */
                type?: string[];
                /** @description Only resources with these ids */
                id?: string[];
                /** @description Search text: part of the name; case-insensitive */
                name?: string;
                /** @description Match keys and values of `tag` case-insensitively */
                case_insensitive?: boolean;
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
                            /** @description Value for `If-Match`; same as the `ETag` header */
                            etag: string;
                            /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
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
                /** @description Only resources of this type; repeat the parameter for several types */
                type?: string[];
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
                /** @description Only resources of this type; repeat the parameter for several types */
                type?: string[];
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
                /** @description Only resources of this type; repeat the parameter for several types */
                type?: string[];
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    policies: {
                        /** @description PUT keeps the id of a policy of the token. Otherwise, the server assigns ids */
                        id?: string | null;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string | null;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    not_before?: string | null;
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    expires_on?: string | null;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            in?: string[] | null;
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            not_in?: string[] | null;
                        } | null;
                    } | null;
                    status?: ("active" | "disabled") | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
                        };
                    };
                };
            };
        };
    };
    "update-account-token": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    policies: {
                        /** @description PUT keeps the id of a policy of the token. Otherwise, the server assigns ids */
                        id?: string | null;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string | null;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    not_before?: string | null;
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    expires_on?: string | null;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            in?: string[] | null;
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            not_in?: string[] | null;
                        } | null;
                    } | null;
                    status?: ("active" | "disabled" | "expired") | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
                        };
                    };
                };
            };
        };
    };
    "delete-account-token": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
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
                                    abuse_contact_email?: string;
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                    abuse_contact_email?: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Membership id: 32 hex digits */
                membership_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `pending` leaves an invitation as it is
                     * @enum {unknown}
                     */
                    status: "accepted" | "rejected" | "pending";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                                    abuse_contact_email?: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
    "list-user-audit-logs-by-page": {
        parameters: {
            query?: {
                /** @description Counts from 1 */
                page?: number;
                per_page?: number;
                id?: string;
                "action.type"?: string;
                "actor.email"?: string;
                /** @description Exact address */
                "actor.ip"?: string;
                /** @description Start of the period, inclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                since?: string;
                /** @description End of the period, exclusive. RFC 3339 date-time, or a date such as `2024-10-30`, which means midnight UTC */
                before?: string;
                /** @description Sort order; `desc` is newest first */
                direction?: "asc" | "desc";
                /** @description No effect: an account never lists the activities of users outside of it */
                hide_user_logs?: boolean;
                /** @description No entry has a zone, so that none matches */
                "zone.name"?: string;
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
                            action: {
                                type: string;
                                result: boolean;
                            };
                            actor: {
                                id?: string;
                                email?: string;
                                ip?: string;
                                /**
                                 * @description `user` for people and tokens, `admin` for the operator and the server itself
                                 * @enum {unknown}
                                 */
                                type: "user" | "admin" | "Cloudflare";
                            };
                            /** @description `API` or `UI` */
                            interface: string;
                            metadata: {
                                description: string;
                            };
                            /** @description Always empty: see `list-audit-logs` */
                            newValue: string;
                            /** @description Always empty */
                            oldValue: string;
                            owner: {
                                id: string;
                            };
                            resource: {
                                id?: string;
                                type: string;
                            };
                            when: string;
                        }[];
                        result_info: {
                            page: number;
                            per_page: number;
                            count: number;
                        };
                    };
                };
            };
        };
    };
    "list-invites": {
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
                            status: "pending" | "accepted" | "rejected" | "expired";
                            /** @description Account id */
                            organization_id: string;
                            /** @description Account name */
                            organization_name: string;
                            organization_is_enforcing_twofactor: boolean;
                            /** @description Names */
                            roles: string[];
                            /** @description User id */
                            invited_member_id: string;
                            invited_member_email: string;
                            invited_on: string;
                            /** @description Absent after acceptance */
                            expires_on?: string;
                        }[];
                    };
                };
            };
        };
    };
    "get-invite": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Membership id: 32 hex digits */
                invite_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            status: "pending" | "accepted" | "rejected" | "expired";
                            /** @description Account id */
                            organization_id: string;
                            /** @description Account name */
                            organization_name: string;
                            organization_is_enforcing_twofactor: boolean;
                            /** @description Names */
                            roles: string[];
                            /** @description User id */
                            invited_member_id: string;
                            invited_member_email: string;
                            invited_on: string;
                            /** @description Absent after acceptance */
                            expires_on?: string;
                        };
                    };
                };
            };
        };
    };
    "update-invite": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Membership id: 32 hex digits */
                invite_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `pending` and `expired` leave the invitation as it is
                     * @enum {unknown}
                     */
                    status: "accepted" | "rejected" | "pending" | "expired";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            status: "pending" | "accepted" | "rejected" | "expired";
                            /** @description Account id */
                            organization_id: string;
                            /** @description Account name */
                            organization_name: string;
                            organization_is_enforcing_twofactor: boolean;
                            /** @description Names */
                            roles: string[];
                            /** @description User id */
                            invited_member_id: string;
                            invited_member_email: string;
                            invited_on: string;
                            /** @description Absent after acceptance */
                            expires_on?: string;
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
                /** @description `cursors.after` of the previous page; opaque, and valid only for the same list and filters */
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    response: {
                        id: string;
                        rawId: string;
                        /** @enum {string} */
                        type: "public-key";
                        response: {
                            clientDataJSON: string;
                            attestationObject: string;
                            transports?: string[] | null;
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Passkey id: 32 hex digits */
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                    /** Format: email */
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
                    /** Format: email */
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
                    totp_code?: string | null;
                    /** @description Dashes, spaces and case are ignored */
                    recovery_code?: string | null;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
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
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    policies: {
                        /** @description PUT keeps the id of a policy of the token. Otherwise, the server assigns ids */
                        id?: string | null;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string | null;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    not_before?: string | null;
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    expires_on?: string | null;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            in?: string[] | null;
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            not_in?: string[] | null;
                        } | null;
                    } | null;
                    status?: ("active" | "disabled") | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
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
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
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
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
                        };
                    };
                };
            };
        };
    };
    "update-user-token": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Token id: 32 hex digits */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description It must not be blank, and must not contain line breaks or invisible characters. */
                    name: string;
                    policies: {
                        /** @description PUT keeps the id of a policy of the token. Otherwise, the server assigns ids */
                        id?: string | null;
                        /** @enum {unknown} */
                        effect: "allow" | "deny";
                        permission_groups: {
                            id: string;
                            name?: string | null;
                            meta?: unknown;
                        }[];
                        /** @description `{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>` */
                        resources: {
                            [key: string]: "*";
                        };
                    }[];
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    not_before?: string | null;
                    /**
                     * Format: date-time
                     * @description RFC 3339
                     */
                    expires_on?: string | null;
                    condition?: {
                        request_ip?: {
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            in?: string[] | null;
                            /** @description IP addresses and CIDR ranges. An empty list is no condition */
                            not_in?: string[] | null;
                        } | null;
                    } | null;
                    status?: ("active" | "disabled" | "expired") | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description The user who created the account-owned token. Absent if a token created it */
                            creator_email_at_creation?: string;
                            /** @description `oauth`: an OAuth client created the token for the user */
                            provisioner_type?: string;
                            /** @description Id of the OAuth client */
                            provisioner_id?: string;
                        };
                    };
                };
            };
        };
    };
    "delete-user-token": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
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
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
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
    "get-zone-tags": {
        parameters: {
            query?: {
                /** @description Default: `zone` */
                resource_type?: string;
                /** @description Default for a zone: its id */
                resource_id?: string;
                /** @description No effect */
                access_application_id?: string;
            };
            header?: {
                /** @description An ETag or a list of ETags. If one is the current one, the response is 304. */
                "if-none-match"?: string;
            };
            path: {
                /** @description Zone id */
                zone_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description Version of the record, for `If-Match` and `If-None-Match` */
                    etag?: string;
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
                            /** @description Value for `If-Match`; same as the `ETag` header */
                            etag: string;
                            /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
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
    "put-zone-tags": {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Zone id */
                zone_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For example `worker` or `zone` */
                    resource_type: string;
                    resource_id: string;
                    /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
                    tags: {
                        [key: string]: string;
                    };
                    /** @description Name of a resource outside of this server; default: its id. Resources of this server keep the name of their record. */
                    name?: string | null;
                    /** @description Required for `worker_version` */
                    worker_id?: string | null;
                    access_application_id?: string | null;
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
                            /** @description Value for `If-Match`; same as the `ETag` header */
                            etag: string;
                            /** @description Keys: letters with their marks and digits of any script, `_`, `.`, `-`, stored in Unicode NFC, at most 256 characters. Values: at most 1024 characters; may be empty. */
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
    "delete-zone-tags": {
        parameters: {
            query?: {
                /** @description Default: `zone` */
                resource_type?: string;
                /** @description Default for a zone: its id */
                resource_id?: string;
                /** @description No effect */
                access_application_id?: string;
            };
            header?: {
                /** @description An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record. */
                "if-match"?: string;
            };
            path: {
                /** @description Zone id */
                zone_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Default: `zone` */
                    resource_type?: string | null;
                    /** @description Default for a zone: its id */
                    resource_id?: string | null;
                };
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
}
