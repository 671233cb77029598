<?php

declare(strict_types=1);

namespace Quittance;

/** A file that was asked for. */
final class ExportFile
{
    /**
     * @param string|null $fileName what the service calls it
     * @param resource $body a stream at its beginning, for `stream_copy_to_stream` or `stream_get_contents`
     */
    public function __construct(
        public readonly ?string $fileName,
        public readonly ?string $contentType,
        public readonly mixed $body,
    ) {
    }
}
