<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** Nothing came in time. */
final class TimeoutException extends ConnectionException
{
}
