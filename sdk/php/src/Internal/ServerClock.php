<?php

declare(strict_types=1);

namespace Quittance\Internal;

/**
 * The time at the service, which a signature must be made with. It is learnt once and carried on with a clock that
 * nobody sets, so a machine whose own clock is wrong can sign too. Until then that clock is the best guess.
 *
 * @internal
 */
final class ServerClock
{
    /** How far the service is ahead of the clock that nobody sets. */
    private ?float $offsetSeconds = null;

    public function now(): int
    {
        return $this->offsetSeconds === null ? time() : (int) floor(self::steady() + $this->offsetSeconds);
    }

    public function isKnown(): bool
    {
        return $this->offsetSeconds !== null;
    }

    /** `$askedAt`: what `steady()` said when the question was sent; the service looked at its clock after that. */
    public function learn(int $timeThere, float $askedAt): void
    {
        $this->offsetSeconds = $timeThere - ($askedAt + self::steady()) / 2;
    }

    public function forget(): void
    {
        $this->offsetSeconds = null;
    }

    public static function steady(): float
    {
        return hrtime(true) / 1e9;
    }
}
