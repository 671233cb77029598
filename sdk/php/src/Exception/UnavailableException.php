<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 502, 503, 504: not at this moment. */
final class UnavailableException extends ApiException
{
}
