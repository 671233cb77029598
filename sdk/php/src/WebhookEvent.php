<?php

declare(strict_types=1);

namespace Quittance;

/** What a genuine webhook tells. */
final class WebhookEvent
{
    /**
     * @param string $eventType for example `CHECKOUT_COMPLETED`; answer 200 to those that you do not know
     * @param array<string, mixed> $data what it is about, for example `['checkout' => [...]]`
     */
    public function __construct(public readonly string $eventType, public readonly array $data)
    {
    }
}
