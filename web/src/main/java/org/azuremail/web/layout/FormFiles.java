package org.azuremail.web.layout;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.util.WebUtils;

/**
 * Refuses three kinds of input that browsers never send: text in a field that takes a file, list indexes in field names
 * ({@code lists[7]}), and, in a form with files, text that is not UTF-8. The first two would make Spring's binding
 * fail.
 */
final class FormFiles implements HandlerInterceptor {

    /** A request sent text for this field, which takes a file. The answer is 400. */
    static final class TextForFileException extends RuntimeException {
        TextForFileException(String field) {
            super(field);
        }
    }

    private final Map<Class<?>, List<RecordComponent>> known = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException, ServletException {
        if (WebUtils.getNativeRequest(request, MultipartRequest.class) != null && hasReplacements(request)) {
            for (Part part : request.getParts()) {
                refuseUnlessUtf8(part);
            }
        }
        if (handler instanceof HandlerMethod method) {
            Stream.of(method.getMethodParameters())
                    .flatMap(parameter ->
                            known.computeIfAbsent(parameter.getParameterType(), FormFiles::fields).stream())
                    .filter(field -> isUnfit(field, request.getParameterMap().keySet()))
                    .findFirst()
                    .ifPresent(field -> {
                        throw isList(field)
                                ? new ResponseStatusException(HttpStatus.BAD_REQUEST)
                                : new TextForFileException(field.getName());
                    });
        }
        return true;
    }

    /**
     * Returns whether a field contains the character that Tomcat writes for each part that is not UTF-8. The character
     * may also belong to the text.
     */
    private static boolean hasReplacements(HttpServletRequest request) {
        return request.getParameterMap().values().stream()
                .flatMap(Stream::of)
                .anyMatch(value -> value.indexOf('\uFFFD') >= 0);
    }

    private static void refuseUnlessUtf8(Part part) throws IOException {
        if (part.getSubmittedFileName() != null) {
            return;
        }
        try (InputStream field = part.getInputStream()) {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(field.readAllBytes()));
        } catch (CharacterCodingException damaged) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, part.getName(), damaged);
        }
    }

    private static boolean isUnfit(RecordComponent field, Set<String> sent) {
        return isList(field)
                ? sent.stream().anyMatch(name -> name.startsWith(field.getName() + "["))
                : sent.contains(field.getName());
    }

    private static boolean isList(RecordComponent field) {
        return field.getType() == List.class;
    }

    private static List<RecordComponent> fields(Class<?> form) {
        return form.isRecord()
                ? Arrays.stream(form.getRecordComponents())
                        .filter(field -> field.getType() == MultipartFile.class || isList(field))
                        .toList()
                : List.of();
    }
}
