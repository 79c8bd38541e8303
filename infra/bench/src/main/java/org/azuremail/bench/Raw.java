package org.azuremail.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The raw loops, each in a process of its own: the least code that can do the same talking. */
final class Raw {

    private Raw() {}

    /** @param arguments the loop's name and what it needs; prints mails a second as its last word */
    static void run(List<String> arguments) throws Exception {
        int mails = Integer.parseInt(arguments.get(1));
        double perSecond =
                switch (arguments.get(0)) {
                    case "storage" -> RawStorage.run(mails, java.nio.file.Path.of(arguments.get(2)));
                    case "smtp" ->
                        RawSmtp.run(mails, Integer.parseInt(arguments.get(2)), Integer.parseInt(arguments.get(3)));
                    case "http" ->
                        RawHttp.run(mails, Integer.parseInt(arguments.get(2)), Integer.parseInt(arguments.get(3)));
                    default -> throw new IllegalArgumentException("no raw loop " + arguments.get(0));
                };
        System.out.println("mails a second: " + perSecond);
    }

    /** A part of the mails: from the first to the one before the last. */
    interface Part {
        void run(int from, int to) throws IOException;
    }

    /** Runs the parts in as many threads and says how many mails a second they did together. */
    static double together(int mails, int threads, Part part) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> parts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int from = 1 + (int) ((long) mails * thread / threads);
                int to = 1 + (int) ((long) mails * (thread + 1) / threads);
                parts.add(() -> {
                    part.run(from, to);
                    return null;
                });
            }
            long began = System.nanoTime();
            for (Future<Void> end : pool.invokeAll(parts)) {
                end.get();
            }
            return mails / ((System.nanoTime() - began) / 1e9);
        } finally {
            pool.shutdownNow();
        }
    }
}
