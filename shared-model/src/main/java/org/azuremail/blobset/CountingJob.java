package org.azuremail.blobset;

import org.azuremail.work.queue.TextCodec;

/** A job whose result is a number, the sum over its pieces. */
public interface CountingJob<T> extends SetJob<T, Long> {

    @Override
    default TextCodec<Long> results() {
        return TextCodec.json(Long.class);
    }

    @Override
    default Long reduce(Long one, Long other) {
        return one + other;
    }
}
