<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** The log of what was sent to your server. To check what arrives there: `Webhook::read`. */
final class WebhookDeliveries
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /webhook-deliveries`; lists of states are allowed
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/webhook-deliveries', $filter, 'deliveries');
    }

    /** Sends an event again, with the same id. Gives the id of the new delivery. */
    public function redeliver(string $deliveryId, ?string $idempotencyKey = null): string
    {
        $wish = ['deliveryId' => $deliveryId];
        return $this->api->call('POST', '/webhook-deliveries/redeliver', $wish, $idempotencyKey)['deliveryId'];
    }
}
