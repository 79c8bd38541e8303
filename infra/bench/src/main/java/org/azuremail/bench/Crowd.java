package org.azuremail.bench;

import java.io.IOException;
import java.util.function.IntFunction;

/**
 * Many clients that each ask a list to take people, one after the other.
 *
 * @param millis how long each request took, sorted
 */
record Crowd(double seconds, double[] millis) {

    static final int CLIENTS = 16;

    /** @param requests of all clients together; each answer must have this status */
    static Crowd subscribe(
            Service service, String list, String key, int requests, IntFunction<String> email, int status)
            throws Exception {
        long[] nanos = new long[requests];
        double perSecond = Raw.together(requests, CLIENTS, (from, to) -> {
            try (Client client = new Client(service.port())) {
                for (int number = from; number < to; number++) {
                    long began = System.nanoTime();
                    require(client.subscribe(list, email.apply(number), key), status);
                    nanos[number - 1] = System.nanoTime() - began;
                }
            }
        });
        return new Crowd(requests / perSecond, Spread.sorted(nanos));
    }

    private static void require(int answered, int status) throws IOException {
        if (answered != status) {
            throw new IOException("answered " + answered + " instead of " + status);
        }
    }

    double perSecond() {
        return millis.length / seconds;
    }

    double millis(double share) {
        return Spread.quantile(millis, share);
    }
}
