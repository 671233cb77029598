<?php

declare(strict_types=1);

namespace Quittance;

/** A part of a list. */
final class Page
{
    /**
     * @param list<array<string, mixed>> $items
     * @param string|null $next where the next page begins; null: this was the last one
     */
    public function __construct(public readonly array $items, public readonly ?string $next)
    {
    }
}
