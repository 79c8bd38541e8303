package org.azuremail.blobset;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the functions that jobs name. */
record SetFunctions(Supplier<List<SetJob<?, ?>>> all) {

    Optional<SetJob<?, ?>> find(String name) {
        return all.get().stream()
                .filter(function -> function.name().equals(name))
                .findFirst();
    }

    /** @throws IllegalStateException if this version has no function of this name */
    SetJob<?, ?> require(String name) {
        return find(name).orElseThrow(() -> new IllegalStateException("no function of sets is called " + name));
    }
}
