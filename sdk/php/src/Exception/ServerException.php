<?php

declare(strict_types=1);

namespace Quittance\Exception;

/** 500 and above: a fault of the service. */
final class ServerException extends ApiException
{
}
